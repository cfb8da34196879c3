// Inputs of every kind for a page: the tables of this project, and small results made here.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Numbers that are the same in each run.
const random = (seed) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};

const matchLog = (name, count, strength, seed) => {
  const next = random(seed);
  const side = (name) => ({ name, player: name, build: null, options: [], limits: "5000 nodes" });
  const setup = { format: 1, sides: [side(name), side("none")], book: "book.epd", book_digest: "0", openings: 500, plies: null, seed: 1, rules: "none" };
  const ends = ["repetition", "fifty", "material", "stalemate"];
  const game = (number) => {
    const luck = next() + (number === 0 ? strength : -strength);
    const result = luck > 0.65 ? "1-0" : luck < 0.35 ? "0-1" : "1/2-1/2";
    const end = result === "1/2-1/2" ? ends[Math.floor(4 * next() ** 2)] : "mate";
    return { result, end, moves: `e2e4 ${next() < 0.5 ? "e7e5" : "c7c5"}`, said: "// //" };
  };
  const pairs = Array.from({ length: count }, (_, place) => ({ pair: place + 1, games: [game(0), game(1)] }));
  return [setup, ...pairs].map((line) => JSON.stringify(line) + "\n").join("");
};

const wdlFit = () => {
  const curve = Array.from({ length: 62 }, (_, at) => ({ mom: 17 + at, a: 90 + at, b: 45 + at / 3, a_error: 6 - at / 20, b_error: 3 }));
  // Of the positions retained, from both sides.
  const calibration = Array.from({ length: 10 }, (_, at) => ({
    sides: 180000, predicted_win: 0.06 * at + 0.04, observed_win: 0.06 * at + 0.0375, predicted_draw: 0.75 - at / 12, observed_draw: 0.76 - at / 12,
  }));
  return {
    pawn_value: 131, spread: 58.7, errors: { pawn_value: 1.4, spread: 0.9 }, mom_type: "material", mom_target: 58, curve, calibration,
    calibration_held_out: true, held_out_log_loss: 0.6617, retained: { wins: 276750, draws: 346500, losses: 276750 }, warnings: [],
    inputs: ["tcec.pgn.zst"], made_by: "drawish",
  };
};

const evaluation = () => {
  const quality = (target, gain, wide) => ({
    target, loss: 0.9, gain: { millibits: gain, error: 3 }, over: { millibits: gain / 10, error: 1 }, brier: 0.21,
    ece: target === "win-draw-loss" ? null : [0.012, 0.008, 0.02],
    ...(target === "win-draw-loss" ? {} : { calibration: { ece: 0.012, low: 0.008, high: 0.02, bins: Array.from({ length: 10 }, (_, at) => ({
      count: 650, forecast: 0.1 + 0.07 * at, rate: 0.1 + 0.07 * at + (at % 3 - 1) * wide, low: (at % 3 - 1) * wide - 0.03, high: (at % 3 - 1) * wide + 0.03 })) } }),
  });
  const names = ["constant", "table, raw", "table, empirical Bayes + symmetry", "files + ranks", "material + endings", "all features", "draw head, all features"];
  const verdicts = names.map((name, at) => ({
    name, weights: 10 * at, over: at > 1 ? names[at - 1] : null,
    qualities: ["draw", "win-draw-loss", "score"].map((target) => quality(target, at === 0 ? 0 : at === 1 ? -240 : 8 * at, 0.02 * (at % 3))),
  }));
  const one = { rows: 65106, events: 22050, skeletons: 30411, folds: 5, results: [22242, 24308, 18556], verdicts };
  return { board: one, evaluations: { ...one, rows: 9000 } };
};

// Writes all into a directory and returns the arguments for `drawish report`.
export const inputs = (project, directory) => {
  const put = (name, text) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const gain = matchLog("gain-head+table", 480, 0.04, 7);
  return [
    ...["human.counts", "tcec.counts", "rival.table", "human.heads.toml", "pooled.heads.toml"].map((name) => join(project, "tables", name)),
    put("evaluation.json", JSON.stringify(evaluation())),
    put("model.json", JSON.stringify(wdlFit())),
    put("gain.jsonl", gain),
    put("running.jsonl", matchLog("scale-table", 300, 0, 3).slice(0, -40)),
    put("begun.jsonl", matchLog("draw-head", 0, 0, 1)),
    join(directory, "absent.counts"),
    "--sprt", "elo0=0", "elo1=10",
  ];
};
