import type { Column, Table } from "#lib/contract/table";
import { requireColumn } from "#lib/ml/table/columns";
import type { CalendarField } from "./calendar.ts";
import type { GridDefinition } from "./grid.ts";
import { checkPipeline, type FeaturePipeline, type FeatureStep, type RollingStatistic } from "./pipeline.ts";
import { median, presentValues, variesAmong } from "./statistics.ts";

export type RollingRequest = { window: number; shift: number; statistic: RollingStatistic };

export type PipelineRequest = {
  /** Rows to learn from; its columns include target and timestamp. */
  table: Table;
  target: string;
  timestamp: string | null;
  timezone: string;
  grid: GridDefinition | null;
  /** Input columns in order, and those that carry predictions of another project. */
  inputs: string[];
  upstream: { feature: string; sourceProjectId: string }[];
  /** Inputs that have missing values in rows beyond these, and need a fill although all values are here. */
  missing?: ReadonlySet<string>;
  calendar: boolean;
  lags: number[];
  rolling: RollingRequest[];
  /** Trees take missing values and ordinal codes as they are; a linear model needs fills, one-hot and waves. */
  family: "trees" | "linear";
};

const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;

/** A category beyond the commonest so many gets no one-hot column of its own. */
const ONEHOT_CATEGORIES_MAX = 50;

/**
 * Fits the state of every step on the given rows: fills, category orders, which calendar fields have been seen
 * going round. Constant and empty inputs give no step. Throws InvalidFeatureStep for a lag that sees the future.
 */
export function fitPipeline(request: PipelineRequest): FeaturePipeline {
  const { table, target, timestamp, timezone, grid, family } = request;
  const sourceOf = new Map(
    request.upstream.map(({ feature, sourceProjectId }) => [feature, sourceProjectId]),
  );
  const targetColumn = requireColumn(table, target);
  const targets = targetColumn.type === "category" ? new Float64Array() : targetColumn.values;
  const steps: FeatureStep[] = request.inputs.flatMap((name) => {
    const column = requireColumn(table, name);
    const imputed = request.missing?.has(name) === true || hasMissing(column);
    return inputSteps(column, sourceOf.get(name), targets, family, imputed);
  });
  if (timestamp && request.calendar) steps.push(...calendarSteps(table, timestamp, family));
  const fill = family === "linear" ? median(targets) : null;
  for (const lag of request.lags) steps.push({ op: "lag", steps: lag, fill });
  for (const { window, shift, statistic } of request.rolling) {
    steps.push({
      op: "rolling",
      window,
      shift,
      statistic,
      fill: statistic === "std" && fill !== null ? 0 : fill,
    });
  }
  return checkPipeline({ version: 1, target, timestamp, timezone, grid, steps });
}

function inputSteps(
  column: Column,
  sourceProjectId: string | undefined,
  targets: Float64Array,
  family: "trees" | "linear",
  missing: boolean,
): FeatureStep[] {
  const feature = column.name;
  if (column.type === "category") {
    if (!variesAmong(column.codes)) return [];
    const categories = orderCategories(column, targets, family);
    const impute = missing ? [{ op: "impute", feature, strategy: "keep", value: null } as const] : [];
    return [...impute, { op: family === "trees" ? "ordinal" : "onehot", feature, categories }];
  }
  const present = presentValues(column.values);
  if (!variesAmong(column.values)) return [];
  const fill = family === "linear" ? median(present) : null;
  if (sourceProjectId !== undefined)
    return [{ op: "upstream", feature, sourceProjectId, fill: missing ? fill : null }];
  const number: FeatureStep = { op: "number", feature, scale: column.type === "timestamp" ? 1 / DAY_MS : 1 };
  if (!missing) return [number];
  return [{ op: "impute", feature, strategy: fill === null ? "keep" : "median", value: fill }, number];
}

export function hasMissing(column: Column): boolean {
  return column.type === "category"
    ? column.codes.includes(-1)
    : column.values.some((value) => Number.isNaN(value));
}

/**
 * For trees in order of the mean target, so that one threshold parts low from high (Fisher 1958; shrunk towards
 * the overall mean where a category is rare). For one-hot the commonest first.
 */
function orderCategories(
  column: Extract<Column, { type: "category" }>,
  targets: Float64Array,
  family: "trees" | "linear",
): string[] {
  const counts = new Float64Array(column.categories.length);
  const sums = new Float64Array(column.categories.length);
  let total = 0;
  let known = 0;
  column.codes.forEach((code, row) => {
    const target = targets[row]!;
    if (code < 0 || !Number.isFinite(target)) return;
    counts[code]! += 1;
    sums[code]! += target;
    total += target;
    known += 1;
  });
  const mean = known > 0 ? total / known : 0;
  const prior = 10;
  const shrunk = sums.map((sum, code) => (sum + prior * mean) / (counts[code]! + prior));
  const seen = column.categories.map((_, code) => code).filter((code) => counts[code]! > 0);
  const order =
    family === "trees"
      ? seen.sort((a, b) => shrunk[a]! - shrunk[b]! || a - b)
      : seen.sort((a, b) => counts[b]! - counts[a]! || a - b).slice(0, ONEHOT_CATEGORIES_MAX);
  return order.map((code) => column.categories[code]!);
}

/**
 * Calendar features that the rows have seen come round: a yearly field over less than a year of rows would only
 * number the days, and mislead on the next.
 */
function calendarSteps(table: Table, timestamp: string, family: "trees" | "linear"): FeatureStep[] {
  const column = requireColumn(table, timestamp);
  if (column.type === "category") return [];
  const instants = presentValues(column.values).sort();
  const span = (instants.at(-1) ?? 0) - (instants[0] ?? 0);
  const finest = instants.reduce((least, instant, i) => {
    const step = i > 0 ? instant - instants[i - 1]! : 0;
    return step > 0 ? Math.min(least, step) : least;
  }, Number.POSITIVE_INFINITY);
  const withinDay = finest < DAY_MS * 0.9 && span >= 2 * DAY_MS;
  const withinWeek = finest < 7 * DAY_MS * 0.9 && span >= 14 * DAY_MS;
  const withinYear = finest < 300 * DAY_MS && span >= YEAR_MS;
  const number = (field: CalendarField): FeatureStep => ({ op: "calendar", field, encoding: "number" });
  const manyWeeks = span >= 20 * 7 * DAY_MS;
  if (family === "trees") {
    return [
      ...(withinDay && finest < 3_600_000 ? [number("minuteOfDay")] : []),
      ...(withinDay ? [number("hour")] : []),
      ...(withinDay && manyWeeks ? [number("hourOfWeek")] : []),
      ...(withinWeek ? [number("weekday")] : []),
      ...(withinYear ? [number("dayOfYear")] : []),
    ];
  }
  const hours: FeatureStep = { op: "calendar", field: manyWeeks ? "hourOfWeek" : "hour", encoding: "onehot" };
  const days: FeatureStep = { op: "calendar", field: "weekday", encoding: "onehot" };
  const year: FeatureStep = {
    op: "calendar",
    field: "dayOfYear",
    encoding: "cyclic",
    period: 365.25,
    harmonics: 3,
  };
  const trend: FeatureStep = { op: "trend", start: instants[0] ?? 0, unitMs: YEAR_MS };
  return [
    ...(withinDay ? [hours] : []),
    ...(withinWeek && !(withinDay && manyWeeks) ? [days] : []),
    ...(withinYear ? [year] : []),
    // Over less than two years a trend cannot be told from the season that it runs through.
    ...(span >= 2 * YEAR_MS ? [trend] : []),
  ];
}
