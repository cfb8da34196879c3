// Figures by Vega-Lite in place of the still pictures, when they come into sight. If anything goes wrong, the still picture stays.
"use strict";
{
  const data = JSON.parse(document.getElementById("data").textContent);
  const FILES = "bcdefg";
  const files = (bits) => [...FILES].filter((_, place) => bits >> place & 1).join("") || "none";

  // The columns of a source as the rows that specifications ask for; made once, when they are first needed.
  const made = new Map();
  const structures = (place) => {
    if (!made.has(place)) {
      const source = data.structures[place];
      const share = (column, cell) => (column ? column[cell] / 1000 : null);
      made.set(place, source.p.map((p, cell) => {
        const n = source.n ? source.n[cell] : null;
        const draws = source.draws ? source.draws[cell] : null;
        return {
          cell, white: cell & 63, black: cell >> 6, n, draws,
          words: `White ${files(cell & 63)}, Black ${files(cell >> 6)}`,
          p: p / 1000, low: share(source.low, cell), high: share(source.high, cell),
          rate: n && draws !== null ? draws / n : null,
        };
      }));
    }
    return made.get(place);
  };
  window.drawish = { data, structures, files };

  const text = { labelColor: "var(--soft)", titleColor: "var(--soft)", labelFontSize: 11, titleFontSize: 11, titleFontWeight: "normal" };
  const config = {
    background: "transparent", font: "system-ui, sans-serif", view: { stroke: null },
    axis: { ...text, gridColor: "var(--faint)", domainColor: "var(--grey)", tickColor: "var(--grey)" },
    legend: { ...text, symbolStrokeWidth: 2 }, text: { fill: "var(--ink)", fontSize: 11 },
    range: { category: ["var(--blue)", "var(--orange)", "var(--green)", "var(--grey)", "#cc79a7", "#b59f00"] },
  };

  // Numbers as in the text of the page: 1,234,567 and 37.4 %.
  const formatLocale = { decimal: ".", thousands: ",", grouping: [3], currency: ["", ""], percent: "\u00a0%" };

  const draw = async (figure) => {
    const spec = data.figures[figure.dataset.figure];
    const live = figure.querySelector(".live");
    const width = Math.floor(figure.clientWidth);
    if (!spec || !live || width === 0 || figure.dataset.width === String(width)) return;
    figure.dataset.width = String(width);
    const { pixels, share } = figure.dataset;
    const height = pixels ? Number(pixels) : Math.round(Math.min(width, 700) * Number(share));
    const whole = { ...spec, width, height, autosize: { type: "fit", contains: "padding" } };
    const named = /^structures-(\d+)$/.exec(spec.data && spec.data.name || "");
    if (named) whole.datasets = { [spec.data.name]: structures(Number(named[1])) };
    const still = figure.querySelector(".still");
    const narrow = { ...config, axis: { ...config.axis, labelLimit: Math.min(260, Math.round(0.42 * width)) } };
    try {
      live.hidden = false;
      const result = await vegaEmbed(live, whole, { ast: true, actions: false, renderer: "svg", config: narrow, formatLocale, tooltip: { theme: "custom" } });
      if (figure.view) figure.view.finalize();
      figure.view = result;
      still.hidden = true;
      figure.dataset.drawn = "yes";
    } catch (error) {
      live.hidden = true;
      still.hidden = false;
      console.error(`figure ${figure.dataset.figure}: ${error}`);
    }
  };

  const all = [...document.querySelectorAll("figure[data-figure]")];
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) draw(entry.target);
  }, { rootMargin: "300px" });
  all.forEach((figure) => seen.observe(figure));
  let waiting = 0;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => all.filter((figure) => figure.dataset.drawn).forEach(draw), 150);
  });
}
