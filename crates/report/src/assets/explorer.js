// All structures of a source as little boards: sorted, searched by files, by a FEN or by the number of a cell.
"use strict";
{
  const { data, structures } = window.drawish;
  const SVG = "http://www.w3.org/2000/svg";
  const PAGE = 24;
  const ORDERS = [
    ["most drawish first", (a, b) => b.p - a.p],
    ["least drawish first", (a, b) => a.p - b.p],
    ["most games first", (a, b) => b.n - a.n],
    ["narrowest interval first", (a, b) => a.high - a.low - (b.high - b.low)],
    ["by number of the cell", (a, b) => a.cell - b.cell],
  ];

  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const shape = (name, attributes) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const percent = (share) => (100 * share).toFixed(1) + " %";

  const board = (row) => {
    const svg = shape("svg", { viewBox: "0 0 60 46", role: "img", "aria-label": row.words });
    svg.append(shape("use", { href: "#board" }));
    for (let file = 0; file < 6; file++) {
      if (row.black >> file & 1) svg.append(shape("use", { href: "#bp", x: file * 10, y: 5 }));
      if (row.white >> file & 1) svg.append(shape("use", { href: "#wp", x: file * 10, y: 25 }));
    }
    return svg;
  };
  // Structures that are each other's mirror image or colour swap, as one: the one with the most games, and the games of all.
  const mirrored = (files) => [0, 1, 2, 3, 4, 5].reduce((sum, file) => sum | (files >> file & 1) << (5 - file), 0);
  const images = ({ white, black }) => [[white, black], [black, white]].flatMap(([one, other]) =>
    [{ white: one, black: other }, { white: mirrored(one), black: mirrored(other) }]);
  const classOf = (row) => Math.min(...images(row).map(({ white, black }) => white | black << 6));
  const pooled = (rows) => {
    const classes = new Map();
    for (const row of rows) {
      const key = classOf(row);
      const found = classes.get(key);
      // The one with the most games stands for all.
      const most = found === undefined || row.n > found.most ? { ...row, most: row.n } : found;
      classes.set(key, { ...most, n: row.n + (found?.n ?? 0) });
    }
    return [...classes.values()];
  };
  // The most games that enough structures have: those with fewer are mostly the mean of all.
  const fewestOf = (rows) => [20, 10, 5, 3].find((games) => rows.filter((row) => row.n >= games).length >= PAGE) ?? 1;
  // The scale of the bars: whole tenths that hold the base and the intervals of all structures with some games.
  const scaleOf = (rows, base, fewest) => {
    const common = rows.filter((row) => row.n === null || row.n >= fewest);
    const low = common.reduce((least, row) => Math.min(least, row.low ?? row.p), base);
    const high = common.reduce((most, row) => Math.max(most, row.high ?? row.p), base);
    return [Math.floor(10 * low), Math.ceil(10 * high)].map((tenths) => tenths / 10);
  };
  const range = (row, base, [from, to]) => {
    const x = (share) => Math.min(100, Math.max(0, 100 * (share - from) / (to - from)));
    const svg = shape("svg", { viewBox: "0 0 100 7", class: "range", "aria-hidden": "true" });
    svg.append(shape("line", { x1: 0, x2: 100, y1: 3.5, y2: 3.5, class: "range-line" }));
    if (row.low !== null) svg.append(shape("line", { x1: x(row.low), x2: x(row.high), y1: 3.5, y2: 3.5, class: "range-span" }));
    svg.append(shape("line", { x1: x(base), x2: x(base), y1: 0, y2: 7, class: "range-base" }));
    svg.append(shape("circle", { cx: x(row.p), cy: 3.5, r: 2.4, class: "range-dot" }));
    return svg;
  };
  const card = (row, base, scale) => {
    const line = (...parts) => make("div", { class: "line" }, ...parts.map((part) => (typeof part === "string" ? make("span", {}, part) : part)));
    const games = row.n === null ? "" : `n = ${row.n.toLocaleString("en")}`;
    const interval = row.low === null ? "" : `${(100 * row.low).toFixed(1)} to ${(100 * row.high).toFixed(1)}`;
    return make("li", { title: row.words }, board(row), line(make("b", {}, percent(row.p)), games), range(row, base, scale), line(interval, `cell ${row.cell}`));
  };

  // The cell of a FEN, or the number of a cell; null if the text is neither.
  const cellOf = (text) => {
    if (/^\d{1,4}$/.test(text)) return Number(text) < 4096 ? Number(text) : null;
    const ranks = text.split(" ")[0].split("/");
    if (ranks.length !== 8) return null;
    let cell = 0;
    for (const rank of ranks) {
      let file = 0;
      for (const letter of rank) {
        if (/[1-8]/.test(letter)) { file += Number(letter); continue; }
        if (!/[prnbqk]/i.test(letter)) return null;
        if (letter === "P" && file >= 1 && file <= 6) cell |= 1 << (file - 1);
        if (letter === "p" && file >= 1 && file <= 6) cell |= 1 << (file + 5);
        file += 1;
      }
      if (file !== 8) return null;
    }
    return cell;
  };

  const explore = (box) => {
    const place = Number(box.dataset.source);
    const source = data.structures[place];
    const base = source.base / 1000;
    const all = structures(place);
    const classes = source.symmetric && source.n ? pooled(all) : null;
    const least = source.n ? fewestOf(classes ?? all) : 0;
    const scale = scaleOf(classes ?? all, base, least);
    const state = { order: 0, fewest: least, pooled: classes !== null, text: "", shown: PAGE, marks: { white: Array(6).fill(""), black: Array(6).fill("") } };

    const order = make("select", { class: "order" }, ...ORDERS.map(([words], number) => make("option", { value: number }, words)));
    const fewest = make("input", { class: "fewest", type: "number", min: 0, step: 1, value: state.fewest, inputmode: "numeric" });
    const search = make("input", { class: "search", type: "search", placeholder: "a FEN, or the number of a cell", spellcheck: "false", autocomplete: "off" });
    const together = make("input", { class: "pooled", type: "checkbox", ...(classes ? { checked: "" } : {}) });
    const clear = make("button", { class: "clear", type: "button" }, "Clear");
    const status = make("p", { class: "status", role: "status" });
    const cards = make("ol", { class: "cards" });
    const more = make("button", { class: "more", type: "button" }, "Show more");

    const update = () => {
      const wanted = state.text ? cellOf(state.text) : undefined;
      const fits = (row) => {
        if (wanted !== undefined) return row.cell === wanted;
        if (row.n !== null && row.n < state.fewest) return false;
        return (state.pooled ? images(row) : [row]).some((image) =>
          ["white", "black"].every((side) => state.marks[side].every((mark, file) => !mark || (image[side] >> file & 1) === (mark === "yes" ? 1 : 0))));
      };
      const rows = [...(state.pooled && wanted === undefined ? classes : all)].filter(fits).sort(ORDERS[state.order][1]);
      const shown = rows.slice(0, state.shown);
      cards.replaceChildren(...shown.map((row) => card(row, base, scale)));
      more.hidden = shown.length >= rows.length;
      status.textContent = wanted === null
        ? "That is neither a FEN nor the number of a cell from 0 to 4095."
        : `${shown.length} of ${rows.length.toLocaleString("en")} structures${state.pooled && wanted === undefined ? ", mirror images and colour swaps as one" : ""}. Bars go from ${100 * scale[0]} to ${100 * scale[1]} %: the 90 % interval, and orange all games together (${percent(base)}).`;
    };
    const changed = () => { state.shown = PAGE; update(); };

    const next = { "": "yes", yes: "no", no: "" };
    const toggles = (side, title) => {
      const buttons = [..."bcdefg"].map((file, number) => {
        const button = make("button", { type: "button", "data-state": "", "aria-label": `${title}, file ${file}: any`, title: "any, with a pawn, without one" }, file);
        button.addEventListener("click", () => {
          const mark = next[state.marks[side][number]];
          state.marks[side][number] = mark;
          button.dataset.state = mark;
          button.setAttribute("aria-label", `${title}, file ${file}: ${{ "": "any", yes: "with a pawn", no: "without a pawn" }[mark]}`);
          changed();
        });
        return button;
      });
      return make("div", { class: `files ${side}`, role: "group", "aria-label": `${title}'s files` }, make("span", {}, title), ...buttons);
    };
    const black = toggles("black", "Black");
    const white = toggles("white", "White");

    order.addEventListener("change", () => { state.order = Number(order.value); changed(); });
    fewest.addEventListener("input", () => { state.fewest = Number(fewest.value) || 0; changed(); });
    together.addEventListener("change", () => { state.pooled = together.checked; changed(); });
    search.addEventListener("input", () => { state.text = search.value.trim(); changed(); });
    clear.addEventListener("click", () => {
      search.value = "";
      state.text = "";
      for (const button of box.querySelectorAll(".files button")) {
        button.dataset.state = "";
        button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/: .*$/, ": any"));
      }
      state.marks = { white: Array(6).fill(""), black: Array(6).fill("") };
      changed();
    });
    more.addEventListener("click", () => { state.shown += 4 * PAGE; update(); });

    const controls = make("div", { class: "controls" },
      make("label", {}, "Order", order),
      ...(source.n ? [make("label", {}, "Games, at least", fewest)] : []),
      ...(classes ? [make("label", { class: "check" }, together, "Mirror images and colour swaps as one")] : []),
      make("div", {}, black, white),
      make("label", { class: "wide" }, "Find", search), clear);
    box.querySelector("figure").hidden = true;
    box.append(controls, status, cards, more);
    update();
  };

  // Boxes of sources that are not chosen wait until they are.
  const ready = new WeakSet();
  const visit = () => {
    for (const box of document.querySelectorAll(".explorer")) {
      if (ready.has(box) || box.closest(".option[hidden]")) continue;
      ready.add(box);
      explore(box);
    }
  };
  document.addEventListener("chosen", visit);
  visit();
}
