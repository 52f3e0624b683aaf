import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { parseCsv } from "#lib/engine/csv/parse";
import { seededRandom } from "#lib/engine/learners/seeded-random";
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
const RESAMPLES = 2_000;
/** Minimum number of forecast values at a place of the season for its coverage. */
const PLACE_VALUES_MIN = 20;
const STEP_PARTS = ["first third", "second", "last"];
export const LEVELS = [0.5, 0.8, 0.95];

/**
 * Compares our forecasts of public series with those of established methods. The scores are the mean absolute scaled
 * error (Hyndman and Koehler 2006), and the coverage and Winkler score of the 90% interval. The folder `series` of the
 * sample data holds JSON files of series, each with a CSV file of the reference scores for the same ids.
 */
export const forecasts: Benchmark = async function* ({ quick, seed, log }) {
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
    yield { what: file, table: byFrequency(scored, references, seed) };
    yield { what: file, table: bySteps(scored) };
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

/** Compares our scores with the reference, by frequency and over all series. */
function byFrequency(scored: readonly Scored[], references: References, seed: number): Figures["table"] {
  const reference = references.get(REFERENCE) ?? new Map<string, Score>();
  const frequencies = [...new Set(scored.map(({ frequency }) => frequency))];
  const groups = [...frequencies.map((one) => scored.filter(({ frequency }) => frequency === one)), scored];
  const rows = groups.map((group, at) => {
    const both = group.flatMap(({ id, score }) => {
      const other = reference.get(id);
      return other ? [{ score, other }] : [];
    });
    const ratio = (of: "mase" | "winkler") => ratioText(both, of, seed);
    return [
      frequencies[at] ?? "all",
      String(group.length),
      geometricMean(group.map(({ score }) => score.mase)).toFixed(3),
      ratio("mase"),
      mean(group.map(({ score }) => score.coverage)).toFixed(3),
      mean(both.map(({ other }) => other.coverage)).toFixed(3),
      ratio("winkler"),
      median(group.map(({ forecast }) => forecast.seconds)).toFixed(2),
    ];
  });
  const titles = [
    "frequency",
    "series",
    "MASE",
    "ratio",
    "coverage",
    "coverage of reference",
    "Winkler ratio",
    "seconds",
  ];
  return {
    title: `Geometric means of MASE and of ratios to ${REFERENCE}, with 95% bootstrap intervals; median seconds of the processor to train`,
    titles,
    rows,
  };
}

/** Returns the least and the greatest coverage among the places of a season; a dash without a season. */
function coverageByPlace(group: readonly Scored[]): string {
  const places = new Map<number, number[]>();
  for (const { train, season, inside } of group) {
    inside.forEach((isInside, step) => {
      const place = (train.length + step) % season;
      places.set(place, [...(places.get(place) ?? []), Number(isInside)]);
    });
  }
  const shares = [...places.values()].filter((values) => values.length >= PLACE_VALUES_MIN).map(mean);
  return places.size > 1 && shares.length > 0
    ? `${Math.min(...shares).toFixed(2)} – ${Math.max(...shares).toFixed(2)}`
    : "–";
}

/** Computes the coverage in each third of the horizon, of the sum over it, and at other levels. */
function bySteps(scored: readonly Scored[]): Figures["table"] {
  const frequencies = [...new Set(scored.map(({ frequency }) => frequency)), null];
  const rows = frequencies.map((wanted) => {
    const group = scored.filter(({ frequency }) => wanted === null || frequency === wanted);
    const parts = STEP_PARTS.map((_, part) =>
      mean(
        group.map(({ inside }) => {
          const cut = (at: number) => Math.round((at * inside.length) / STEP_PARTS.length);
          return mean(inside.slice(cut(part), cut(part + 1)).map(Number));
        }),
      ).toFixed(3),
    );
    const sums = group.flatMap(({ test, forecast: { sum } }) => {
      const total = test.reduce((all, value) => all + value, 0);
      return sum ? [Number(total >= sum.lower && total <= sum.upper)] : [];
    });
    const atLevels = LEVELS.map((level) =>
      mean(
        group.flatMap(({ test, forecast: { levels } }) => {
          const bounds = levels.find((one) => one.level === level);
          return bounds
            ? [mean(test.map((value, i) => Number(value >= bounds.lower[i]! && value <= bounds.upper[i]!)))]
            : [];
        }),
      ).toFixed(3),
    );
    const places = wanted === null ? "–" : coverageByPlace(group);
    return [wanted ?? "all", ...parts, places, mean(sums).toFixed(3), ...atLevels];
  });
  return {
    title:
      "Coverage of the 90% interval by step, by place of the season (least and greatest) and of the sum over the horizon; coverage at other levels",
    titles: [
      "frequency",
      ...STEP_PARTS,
      "places of the season",
      "sum",
      ...LEVELS.map((level) => `${100 * level}%`),
    ],
    rows,
  };
}

/**
 * Formats the geometric mean of the ratios of two scores, with the 2.5th and 97.5th percentile of its bootstrap resamples
 * (Efron 1979).
 */
function ratioText(
  both: readonly { score: Score; other: Score }[],
  of: "mase" | "winkler",
  seed: number,
): string {
  const random = seededRandom(seed);
  const ratios = both.map(({ score, other }) => score[of] / other[of]);
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
