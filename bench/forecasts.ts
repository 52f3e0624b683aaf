import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { parseCsv } from "#lib/engine/csv/parse";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import { type Benchmark, type Figures, mean, median } from "./harness.ts";

/** A series of a sample file: the values to train on, and those to forecast. */
export type SampleSeries = {
  id: string;
  frequency: string;
  /** Steps of a season. */
  season: number;
  horizon: number;
  train: number[];
  test: number[];
};

export type SeriesForecast = {
  predictions: number[];
  lower: number[];
  upper: number[];
  /** Bounds at other levels. */
  levels: { level: number; lower: number[]; upper: number[] }[];
  /** Bounds of the sum at 90%. */
  sum: { lower: number; upper: number } | null;
  /** Processor time of the training. */
  seconds: number;
};

/** Scores of a method on a series. `mase` and `winkler` are scaled by the seasonal naive error in the training part. */
type Score = { mase: number; coverage: number; winkler: number };
/** Scores by method, then by series. */
type References = Map<string, Map<string, Score>>;
type Scored = SampleSeries & { forecast: SeriesForecast; score: Score; inside: boolean[] };

/** Method that others are compared with: the mean of Theta, ETS, ARIMA and STL+ETS of R's forecast package. */
const REFERENCE = "mean_of_all";
/** 1 minus the level of the prediction intervals. */
const ALPHA = 0.1;
const STEP_PARTS = ["first third", "second", "last"];
export const LEVELS = [0.5, 0.8, 0.95];

/**
 * Compares our forecasts of public series with those of established methods. The scores are the mean absolute scaled
 * error (Hyndman and Koehler 2006), and the coverage and Winkler score of the 90% interval. The folder `series` of the
 * sample data holds JSON files of series, each with a CSV file of the reference scores for the same ids.
 */
export const forecasts: Benchmark = async function* ({ quick, log }) {
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
    const { scored, failed } = await forecastAll(series, (done) => {
      if (done % 25 === 0) log(`  ${done} of ${series.length} series`);
    });
    yield { what: file, table: besideReference(scored, references) };
    yield { what: file, table: coverage(scored) };
    for (const { id, reason } of failed) yield { what: id, skipped: `no forecast: ${reason}` };
  }
};

/** Forecasts all series, on one thread per core. */
async function forecastAll(series: readonly SampleSeries[], report: (done: number) => void) {
  const scored: Scored[] = [];
  const failed: { id: string; reason: string }[] = [];
  const waiting = [...series];
  const work = async () => {
    const worker = new Worker(new URL("./forecast-worker.ts", import.meta.url));
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const answer = once(worker, "message") as Promise<[SeriesForecast | { failed: string }]>;
      worker.postMessage(next);
      const [forecast] = await answer;
      if ("failed" in forecast) failed.push({ id: next.id, reason: forecast.failed });
      else scored.push({ ...next, forecast, ...evaluate(next, forecast) });
      report(scored.length + failed.length);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
  const place = new Map(series.map(({ id }, at) => [id, at]));
  scored.sort((a, b) => place.get(a.id)! - place.get(b.id)!);
  return { scored, failed };
}

function evaluate({ train, test, season }: SampleSeries, { predictions, lower, upper }: SeriesForecast) {
  const steps = train.slice(season).map((value, i) => Math.abs(value - train[i]!));
  const scale = mean(steps);
  const inside = insideOf(test, { lower, upper });
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

/** Returns the series of each frequency, and all series. */
function groupsOf(scored: readonly Scored[]): [name: string, group: readonly Scored[]][] {
  const byFrequency = Map.groupBy(scored, ({ frequency }) => frequency);
  return [...byFrequency, ["all", scored]];
}

/** Compares our scores with the reference, by frequency and over all series. */
function besideReference(scored: readonly Scored[], references: References): Figures["table"] {
  const reference = references.get(REFERENCE) ?? new Map<string, Score>();
  const rows = groupsOf(scored).map(([name, group]) => {
    const both = group.flatMap(({ id, score }) => {
      const other = reference.get(id);
      return other ? [{ score, other }] : [];
    });
    return [
      name,
      String(group.length),
      geometricMean(group.map(({ score }) => score.mase)).toFixed(3),
      ratioText(both, "mase"),
      mean(group.map(({ score }) => score.coverage)).toFixed(3),
      mean(both.map(({ other }) => other.coverage)).toFixed(3),
      ratioText(both, "winkler"),
      median(group.map(({ forecast }) => forecast.seconds)).toFixed(2),
    ];
  });
  const title = `Geometric means of MASE and of ratios to ${REFERENCE}, with 95% intervals; median seconds of the processor to train`;
  const coverage = ["coverage", "coverage of reference"];
  return {
    title,
    titles: ["frequency", "series", "MASE", "ratio", ...coverage, "Winkler ratio", "seconds"],
    rows,
  };
}

/** Computes the coverage in each third of the horizon, of the sum over it, and at other levels. */
function coverage(scored: readonly Scored[]): Figures["table"] {
  const rows = groupsOf(scored).map(([name, group]) => {
    const parts = STEP_PARTS.map((_, part) =>
      group.map(({ inside }) => {
        const cut = (at: number) => Math.round((at * inside.length) / STEP_PARTS.length);
        return mean(inside.slice(cut(part), cut(part + 1)).map(Number));
      }),
    );
    const sums = group.flatMap(({ test, forecast: { sum } }) => {
      const total = test.reduce((all, value) => all + value, 0);
      return sum ? [Number(total >= sum.lower && total <= sum.upper)] : [];
    });
    const atLevels = LEVELS.map((_, at) =>
      group.flatMap(({ test, forecast: { levels } }) => {
        const bounds = levels[at];
        return bounds ? [mean(insideOf(test, bounds).map(Number))] : [];
      }),
    );
    return [name, ...[...parts, sums, ...atLevels].map((shares) => mean(shares).toFixed(3))];
  });
  const title =
    "Coverage of the 90% interval by step and of the sum over the horizon; coverage at other levels";
  const levels = LEVELS.map((level) => `${100 * level}%`);
  return { title, titles: ["frequency", ...STEP_PARTS, "sum", ...levels], rows };
}

const insideOf = (test: readonly number[], { lower, upper }: { lower: number[]; upper: number[] }) =>
  test.map((value, i) => value >= lower[i]! && value <= upper[i]!);

/** Formats the geometric mean of the ratios of two scores, with its 95% interval by the standard error of the logarithms. */
function ratioText(both: readonly { score: Score; other: Score }[], of: "mase" | "winkler"): string {
  const ratios = both.map(({ score, other }) => score[of] / other[of]);
  const logs = ratios.filter((ratio) => ratio > 0).map(Math.log);
  const center = mean(logs);
  const width = (1.96 * Math.sqrt(mean(logs.map((one) => (one - center) ** 2)))) / Math.sqrt(logs.length);
  const [middle, least, most] = [center, center - width, center + width].map(Math.exp);
  return `${middle!.toFixed(3)} (${least!.toFixed(2)} – ${most!.toFixed(2)})`;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(mean(values.filter((value) => value > 0).map(Math.log)));
}
