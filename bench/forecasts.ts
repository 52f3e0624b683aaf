import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { parseCsv } from "#lib/engine/csv/parse";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import type { Benchmark } from "./benchmark.ts";
import { type FigureTable, figureTable } from "./figure-table.ts";

/** A series of a sample file: the values to learn from, and those to be forecast. */
export type SampleSeries = {
  id: string;
  frequency: string;
  season: number;
  horizon: number;
  train: number[];
  test: number[];
};

export type SeriesForecast = {
  predictions: number[];
  lower: number[];
  upper: number[];
  model: string;
  features: string;
  seconds: number;
};

/** One method on one series; errors are divided by the error of the seasonal naive forecast in the training part. */
type Score = { mase: number; coverage: number; winkler: number };
/** By method, then by series. */
type References = Map<string, Map<string, Score>>;
type Judged = SampleSeries & { made: SeriesForecast; score: Score; inside: boolean[] };

/** The method that others are compared with: the mean of Theta, ETS, ARIMA and STL+ETS of R's forecast package. */
const REFERENCE = "mean_of_all";
/** 1 less the level of the intervals. */
const ALPHA = 0.1;
const RESAMPLES = 2_000;
const STEP_PARTS = ["first third", "second", "last"];

/**
 * Forecasts of public series beside those of established methods: mean absolute scaled error (Hyndman and Koehler
 * 2006), coverage and Winkler score of the 90% interval. The folder `series` of the sample data holds JSON files of
 * series, and beside each a CSV with the reference scores of the same ids.
 */
export const forecasts: Benchmark = async function* ({ quick, seed, say }) {
  const folder = process.env.SAMPLE_DATA_DIR && path.join(process.env.SAMPLE_DATA_DIR, "series");
  const files =
    folder && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  if (files.length === 0) {
    const skipped = "set SAMPLE_DATA_DIR to a folder with series/NAME.json and series/NAME-references.csv";
    yield { what: "public series", skipped };
  }
  for (const file of files) {
    const all = JSON.parse(readFileSync(path.join(folder!, file), "utf8")) as SampleSeries[];
    const series = quick ? all.filter((_, i) => i % 30 === 0) : all;
    const references = readReferences(path.join(folder!, file.replace(/\.json$/, "-references.csv")));
    const { judged, failed } = await forecastAll(series, (done) => {
      if (done % 25 === 0) say(`  ${done} of ${series.length} series`);
    });
    yield { what: file, table: byFrequency(judged, references, seed) };
    yield { what: file, table: bySteps(judged) };
    yield { what: file, table: byMethod(judged, references, seed) };
    for (const { id, reason } of failed) yield { what: id, skipped: `no forecast: ${reason}` };
  }
};

async function forecastAll(series: readonly SampleSeries[], report: (done: number) => void) {
  const judged: Judged[] = [];
  const failed: { id: string; reason: string }[] = [];
  const waiting = [...series];
  const work = async () => {
    const worker = new Worker(new URL("./forecast-worker.ts", import.meta.url));
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const answer = new Promise<SeriesForecast | { failed: string }>((resolve, reject) => {
        worker.once("message", resolve).once("error", reject);
      });
      worker.postMessage(next);
      const made = await answer;
      if ("failed" in made) failed.push({ id: next.id, reason: made.failed });
      else judged.push({ ...next, made, ...judge(next, made) });
      report(judged.length + failed.length);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
  const place = new Map(series.map(({ id }, at) => [id, at]));
  judged.sort((a, b) => place.get(a.id)! - place.get(b.id)!);
  return { judged, failed };
}

function judge({ train, test, season }: SampleSeries, { predictions, lower, upper }: SeriesForecast) {
  const steps = train.slice(season).map((value, i) => Math.abs(value - train[i]!));
  const scale = mean(steps);
  const inside = test.map((value, i) => value >= lower[i]! && value <= upper[i]!);
  const widths = test.map((value, i) => {
    const outside = Math.max(lower[i]! - value, value - upper[i]!, 0);
    return upper[i]! - lower[i]! + (2 / ALPHA) * outside;
  });
  const score: Score = {
    mase: mean(test.map((value, i) => Math.abs(value - predictions[i]!))) / scale,
    coverage: mean(inside.map(Number)),
    winkler: mean(widths) / scale,
  };
  return { score, inside };
}

function readReferences(file: string): References {
  const references: References = new Map();
  if (!existsSync(file)) return references;
  const { table } = parseCsv(readFileSync(file));
  const text = (name: string) => {
    const column = requireColumn(table, name);
    return (row: number) => (column.type === "category" ? column.categories[column.codes[row]!]! : "");
  };
  const [id, method] = [text("id"), text("method")];
  const [mase, coverage, winkler] = ["mase", "coverage90", "winkler90"].map((name) =>
    findColumn(table, name) ? numericValues(table, name) : new Float64Array(table.rowCount).fill(Number.NaN),
  );
  for (let row = 0; row < table.rowCount; row++) {
    const scores = references.get(method(row)) ?? new Map<string, Score>();
    references.set(method(row), scores);
    scores.set(id(row), { mase: mase![row]!, coverage: coverage![row]!, winkler: winkler![row]! });
  }
  return references;
}

/** Ours beside the reference, by frequency and over all series. */
function byFrequency(judged: readonly Judged[], references: References, seed: number): FigureTable {
  const reference = references.get(REFERENCE) ?? new Map<string, Score>();
  const frequencies = [...new Set(judged.map(({ frequency }) => frequency))];
  const groups = [...frequencies.map((one) => judged.filter(({ frequency }) => frequency === one)), judged];
  const rows = groups.map((group, at) => {
    const both = group.flatMap(({ id, score }) => {
      const other = reference.get(id);
      return other ? [{ score, other }] : [];
    });
    const ratio = (of: "mase" | "winkler") =>
      bootstrap(
        both.map(({ score, other }) => score[of] / other[of]),
        seed,
      );
    return [
      frequencies[at] ?? "all",
      String(group.length),
      geometricMean(group.map(({ score }) => score.mase)).toFixed(3),
      ratio("mase"),
      mean(group.map(({ score }) => score.coverage)).toFixed(3),
      mean(both.map(({ other }) => other.coverage)).toFixed(3),
      ratio("winkler"),
      median(group.map(({ made }) => made.seconds)).toFixed(2),
    ];
  });
  const titles = [
    "frequency",
    "series",
    "MASE",
    "ratio",
    "coverage",
    "reference's",
    "Winkler ratio",
    "seconds",
  ];
  return figureTable({
    title: `Geometric means; ratios to the ${REFERENCE} with their 95% bootstrap intervals; seconds to train, median`,
    titles,
    rows,
  });
}

/** Coverage in the first, second and last third of each horizon. */
function bySteps(judged: readonly Judged[]): FigureTable {
  const frequencies = [...new Set(judged.map(({ frequency }) => frequency)), null];
  const rows = frequencies.map((wanted) => {
    const group = judged.filter(({ frequency }) => wanted === null || frequency === wanted);
    const parts = STEP_PARTS.map((_, part) =>
      mean(
        group.map(({ inside }) => {
          const cut = (at: number) => Math.round((at * inside.length) / STEP_PARTS.length);
          return mean(inside.slice(cut(part), cut(part + 1)).map(Number));
        }),
      ).toFixed(3),
    );
    return [wanted ?? "all", ...parts];
  });
  return figureTable({
    title: "Coverage of the 90% interval by step",
    titles: ["frequency", ...STEP_PARTS],
    rows,
  });
}

/** Ours and every reference method against the same reference, on the series that both have; and what ours were. */
function byMethod(judged: readonly Judged[], references: References, seed: number): FigureTable {
  const reference = references.get(REFERENCE) ?? new Map<string, Score>();
  const ours = new Map(judged.map(({ id, score }) => [id, score]));
  const models = [...new Set(judged.map(({ made }) => `${made.model}, ${made.features}`))].map(
    (name): [string, Map<string, Score>] => [
      `ours: ${name}`,
      new Map(
        judged.flatMap(({ id, made, score }) =>
          `${made.model}, ${made.features}` === name ? [[id, score]] : [],
        ),
      ),
    ],
  );
  const rows = [["ours", ours] as const, ...references, ...models].map(([name, scores]) => {
    const both = [...scores].flatMap(([id, score]) =>
      ours.has(id) && reference.has(id) ? [{ score, other: reference.get(id)! }] : [],
    );
    const ratio = (of: "mase" | "winkler") =>
      bootstrap(
        both.map(({ score, other }) => score[of] / other[of]),
        seed,
      );
    return [
      name,
      String(both.length),
      ratio("mase"),
      mean(both.map(({ score }) => score.coverage)).toFixed(3),
      ratio("winkler"),
    ];
  });
  return figureTable({
    title: `By method, against the ${REFERENCE}`,
    titles: ["method", "series", "MASE ratio", "coverage", "Winkler ratio"],
    rows,
  });
}

/** Geometric mean with the 2.5th and 97.5th percentile of resampled ones (Efron 1979). */
function bootstrap(ratios: readonly number[], seed: number): string {
  const random = seededRandom(seed);
  const logs = ratios.filter((ratio) => ratio > 0).map(Math.log);
  if (logs.length === 0) return "–";
  const resampled = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < logs.length; i++) sum += logs[random.below(logs.length)]!;
    return Math.exp(sum / logs.length);
  }).sort((a, b) => a - b);
  const at = (part: number) => resampled[Math.floor(part * RESAMPLES)]!.toFixed(2);
  return `${Math.exp(mean(logs)).toFixed(3)} (${at(0.025)} – ${at(0.975)})`;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(mean(values.filter((value) => value > 0).map(Math.log)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
