// A page of `drawish report` in Chromium: errors, requests, overflow, every control, time, size, and life without scripts.
//
//   node check.mjs [PROGRAM]     PROGRAM: drawish, by default target/debug/drawish; CHROMIUM names the browser,
//                                SCREENSHOTS a directory for pictures of the page
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { inputs } from "./inputs.mjs";

const project = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const program = process.argv[2] ?? join(project, "target/debug/drawish");
const directory = mkdtempSync(join(tmpdir(), "drawish-report-"));
const pagePath = join(directory, "report.html");
const WIDTHS = [360, 768, 1280];
const LARGEST = 2_000_000;
const LONGEST = 1000;

const done = spawnSync(program, ["report", ...inputs(project, directory), "-o", pagePath], { encoding: "utf8" });
assert.equal(done.status, 1, `an input is absent, so the exit code is 1: ${done.stderr}`);
assert.match(done.stderr, /absent\.counts: cannot be read/);
const bytes = statSync(pagePath).size;
assert.ok(bytes < LARGEST, `the page has ${bytes} bytes`);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

// Opens the page so that whatever goes wrong in it is a failure here.
const open = async ({ width = 1280, scheme = "light", scripts = true, measured = false } = {}) => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: scripts });
  const wrong = [];
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (url === pathToFileURL(pagePath).href) return route.continue();
    wrong.push(`request to ${url.slice(0, 80)}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  if (measured) {
    page.measure = await context.newCDPSession(page);
    await page.measure.send("Performance.enable", { timeDomain: "threadTicks" });
  }
  await page.goto(pathToFileURL(pagePath).href);
  return { page, close: async () => { assert.deepEqual(wrong, []); await context.close(); } };
};

// All figures in sight, one after another, until Vega has drawn them.
const drawAll = async (page) => {
  const names = await page.$$eval("figure[data-figure]", (all) => all.filter((one) => one.offsetParent && one.querySelector(".live")).map((one) => one.id));
  for (const name of names) {
    await page.locator(`#${name}`).scrollIntoViewIfNeeded();
    await page.waitForFunction((name) => document.getElementById(name).dataset.drawn === "yes", name);
  }
  return names.length;
};

const inSight = async (page, width) => {
  const found = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const visible = (node) => node.getClientRects().length > 0;
    const cut = [...document.querySelectorAll("main *, header *, nav *")].filter((node) => {
      if (!visible(node) || node.closest(".scroll, .still, .symbols, option, .live svg")) return false;
      const box = node.getBoundingClientRect();
      return box.right > width + 1 || box.left < -1;
    });
    const labels = [...document.querySelectorAll(".live svg text")].filter((node) => {
      const [box, figure] = [node.getBoundingClientRect(), node.closest("figure").getBoundingClientRect()];
      return box.width > 0 && node.textContent && (box.left < figure.left - 3 || box.right > figure.right + 3);
    });
    return { scroll: document.documentElement.scrollWidth - width, cut: cut.map((node) => node.outerHTML.slice(0, 90)), labels: labels.map((node) => `${node.closest("figure").id}: ${node.textContent}`) };
  });
  assert.deepEqual(found, { scroll: 0, cut: [], labels: [] }, `at ${width} pixels`);
};

const contrast = (page) => page.evaluate(() => {
  const light = (text) => {
    const parts = text.match(/[\d.]+/g).slice(0, 3).map((part) => Number(part) / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return ["body", ".caption", "nav a"].map((selector) => {
    const ink = light(getComputedStyle(document.querySelector(selector)).color);
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  });
});

// 1. Every width in light and dark.
for (const scheme of process.env.QUICK ? [] : ["light", "dark"]) {
  for (const width of WIDTHS) {
    const { page, close } = await open({ width, scheme });
    const figures = await drawAll(page);
    assert.ok(figures > 20, `${figures} figures`);
    await inSight(page, width);
    assert.ok((await contrast(page)).every((ratio) => ratio > 4.5), "text is told from paper");
    if (process.env.SCREENSHOTS) {
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${scheme}-${width}.png`), fullPage: true });
    }
    await close();
    console.log(`${scheme}, ${width} pixels: ${figures} figures, nothing overflows`);
  }
}

// 2. Every control.
{
  const { page, close } = await open();
  const tried = new Set();
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const theme = page.locator("#theme");
  const white = await paper();
  await theme.click();
  assert.deepEqual([await theme.textContent(), await paper()], ["Theme: light", white]);
  await theme.click();
  assert.equal(await theme.textContent(), "Theme: dark");
  assert.notEqual(await paper(), white);
  await theme.click();
  assert.deepEqual([await theme.textContent(), await paper()], ["Theme: as the system", white]);
  tried.add("theme");

  for (const link of await page.locator("nav a").all()) {
    await link.click();
    const target = (await link.getAttribute("href")).slice(1);
    assert.equal(await page.evaluate(() => location.hash.slice(1)), target);
    await page.waitForFunction((id) => {
      const box = document.getElementById(id).getBoundingClientRect();
      return box.top < innerHeight && box.bottom > 0;
    }, target);
  }
  tried.add("nav");

  for (const choice of await page.locator(".choice").all()) {
    const select = choice.locator("> .pick select");
    for (const place of [1, 0]) {
      await select.selectOption(String(place));
      const shown = await choice.locator("> .option:not([hidden]) > h3").evaluateAll((all) => all.map((one) => one.textContent));
      assert.deepEqual(shown, [await select.evaluate((one) => one.selectedOptions[0].textContent)]);
      const group = await choice.getAttribute("data-group");
      const names = await page.$$eval(`.choice[data-group="${group}"] > .pick select`, (all) => all.map((one) => one.selectedOptions[0].textContent));
      assert.equal(new Set(names).size, 1, `all choices of ${group} show the same`);
    }
    tried.add("choice");
  }
  // What was hidden is drawn when it is chosen.
  for (const select of await page.locator(".choice > .pick select").all()) {
    const options = await select.locator("option").count();
    await select.selectOption(String(options - 1));
  }
  await drawAll(page);
  await page.locator(".choice > .pick select").first().selectOption("0");

  const box = page.locator(".explorer").first();
  const shown = () => box.locator(".cards li").evaluateAll((all) => all.map((one) => {
    const [p, n, interval, cell] = [...one.querySelectorAll(".line > *")].map((part) => part.textContent);
    const [low, high] = interval.split(" to ").map(Number);
    return { words: one.title, p: parseFloat(p), n: Number(n.replace(/[^\d]/g, "")), cell: Number(cell.slice(5)), wide: high - low };
  }));
  const sorted = (rows, of) => rows.every((row, at) => at === 0 || of(rows[at - 1]) <= of(row) + 0.11);
  const together = box.locator(".pooled");
  const status = () => box.locator(".status").textContent();
  assert.match(await status(), /mirror images and colour swaps as one/);
  await box.locator(".order").selectOption("4");
  assert.ok(sorted(await shown(), (row) => row.cell), "classes by number of the cell");
  // Of classes each image is asked.
  const asked = [];
  for (const [side, place] of [["white", 0], ["white", 5], ["black", 0], ["black", 5]]) {
    const button = box.locator(`.files.${side} button`).nth(place);
    await button.click();
    asked.push((await status()).match(/of ([\d,]+) structures/)[1]);
    await button.click();
    await button.click();
  }
  assert.ok(asked.every((count) => count === asked[0]), `classes with a pawn on b or g: ${asked}`);
  await together.uncheck();
  assert.doesNotMatch(await status(), /as one/);
  tried.add("pooled");
  const orders = [(row) => -row.p, (row) => row.p, (row) => -row.n, (row) => row.wide, (row) => row.cell];
  for (const [place, of] of orders.entries()) {
    await box.locator(".order").selectOption(String(place));
    const rows = await shown();
    assert.ok(rows.length === 24 && sorted(rows, of), `order ${place}: ${JSON.stringify(rows.map(of))}`);
  }
  tried.add("order");
  await box.locator(".order").selectOption("4");
  await box.locator(".fewest").fill("300");
  assert.ok((await shown()).every((row) => row.n >= 300));
  await box.locator(".fewest").fill("0");
  assert.equal((await shown())[5].cell, 5);
  tried.add("fewest");
  await box.locator(".more").click();
  assert.equal((await shown()).length, 120);
  tried.add("more");
  for (const [side, title] of [["black", "Black"], ["white", "White"]]) {
    for (const [place, file] of [..."bcdefg"].entries()) {
      const button = box.locator(`.files.${side} button`).nth(place);
      const holds = (row) => new RegExp(`${title} \\w*${file}\\w*`).test(row.words.replaceAll("none", "-"));
      await button.click();
      assert.ok((await shown()).every(holds), `${title} has a pawn on ${file}`);
      await button.click();
      assert.ok((await shown()).every((row) => !holds(row)), `${title} has no pawn on ${file}`);
      assert.match(await button.getAttribute("aria-label"), /without a pawn/);
      await button.click();
      assert.equal((await shown())[0].cell, 0);
    }
  }
  tried.add("files");
  const find = box.locator(".search");
  await find.fill("rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5");
  assert.deepEqual((await shown()).map((row) => [row.cell, row.words]), [[3963, "White bcefg, Black bdefg"]]);
  await find.fill("4095");
  assert.deepEqual((await shown()).map((row) => row.words), ["White bcdefg, Black bcdefg"]);
  await find.fill("e4 e5");
  assert.equal((await shown()).length, 0);
  assert.match(await box.locator(".status").textContent(), /neither a FEN nor/);
  tried.add("search");
  await box.locator(".files.white button").first().click();
  await box.locator(".clear").click();
  assert.equal(await find.inputValue(), "");
  assert.equal((await shown())[0].cell, 0);
  tried.add("clear");

  const mark = page.locator("#f-classes .live svg .mark-symbol path").first();
  await mark.hover();
  await page.waitForFunction(() => document.getElementById("vg-tooltip-element")?.textContent.includes("draw rate"));

  const all = await page.$$eval("button, select, input, nav a", (nodes) => nodes.map((node) =>
    node.id || (node.closest("nav") && "nav") || (node.closest(".files") && "files") || (node.closest(".pick") && "choice") || node.className));
  assert.deepEqual([...new Set(all)].filter((name) => !tried.has(name)), [], "every control was tried");
  await close();
  console.log(`${all.length} controls, each does what it says`);
}

// 3. Without scripts all figures are there.
{
  const { page, close } = await open({ width: 768, scripts: false });
  const seen = await page.locator("figure .still svg").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  assert.ok(seen.length > 20 && seen.every((height) => height > 40), `pictures: ${seen}`);
  assert.equal(await page.locator("button:visible, select:visible, input:visible").count(), 0, "no control that does nothing");
  assert.equal(await page.locator(".option").count(), await page.locator(".option:visible").count());
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "still-768.png"), fullPage: true });
  await close();
  console.log(`without scripts: ${seen.length} pictures`);
}

// 4. How long it takes to open, until it is loaded and what is in sight is drawn. Where other programs keep the machine busy the
// CPU time of the page's main thread is judged instead.
{
  const least = { wall: Infinity, cpu: Infinity };
  const busy = loadavg()[0] > availableParallelism();
  for (let run = 0; run < 5; run++) {
    const { page, close } = await open({ measured: true });
    await page.waitForFunction(() => performance.getEntriesByType("navigation")[0].loadEventEnd > 0 && document.querySelector(".cards li"));
    const { metrics } = await page.measure.send("Performance.getMetrics");
    least.cpu = Math.min(least.cpu, 1000 * metrics.find((metric) => metric.name === "TaskDuration").value);
    least.wall = Math.min(least.wall, await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd));
    await close();
  }
  const judged = busy ? least.cpu : least.wall;
  assert.ok(judged > 0 && judged < LONGEST, `the page takes ${judged} ms`);
  console.log(`opens in ${least.wall.toFixed(0)} ms, ${least.cpu.toFixed(0)} ms of them CPU time, the least of 5${busy ? ", on a busy machine" : ""}; ${(bytes / 1e6).toFixed(2)} MB`);
}

await browser.close();
rmSync(directory, { recursive: true });
