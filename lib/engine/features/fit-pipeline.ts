import type { Column, Table } from "#lib/contract/table";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import { calendarSteps } from "./calendar-steps.ts";
import { categoryStep } from "./category-steps.ts";
import { checkPipeline, InvalidFeatureStep } from "./check-pipeline.ts";
import { combineOutput, type Fills } from "./column-outputs.ts";
import type { GridDefinition } from "./grid.ts";
import type { FeaturePipeline, FeatureStep, RollingStatistic, Step } from "./pipeline.ts";
import { PIPELINE_VERSION } from "./pipeline-schema.ts";
import { mean, median, variesAmong } from "./statistics.ts";

export type RollingRequest = { window: number; shift: number; statistic: RollingStatistic };

/** How much the target grew over `span` steps, up to `shift` steps back. */
export type DifferenceRequest = { shift: number; span: number };
/** One input over, or minus, another one. */
export type CombinationRequest = { operation: "ratio" | "difference"; feature: string; other: string };
/** `days`: the holidays as days since 1970-01-01, ascending. */
export type Holidays = { country: string; region: string | null; days: number[] };

/** What is made only where a caller asks for it. */
export type ExtraFeatures = {
  differences?: readonly DifferenceRequest[] | undefined;
  combinations?: readonly CombinationRequest[] | undefined;
  holidays?: Holidays | null | undefined;
  /** What missing numbers become; unless told, a linear model takes the median and trees take them as they are. */
  impute?: "mean" | "median" | undefined;
};

export type PipelineRequest = ExtraFeatures & {
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

/** Days before and after a holiday that it can be felt. */
const HOLIDAY_REACH = 7;

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
    return inputSteps(column, { sourceProjectId: sourceOf.get(name), missing: imputed }, targets, request);
  });
  const fills = new Map(steps.flatMap((step) => (step.op === "impute" ? [[step.feature, step.value]] : [])));
  for (const combination of request.combinations ?? []) {
    steps.push(combineStep(combination, request, fills));
  }
  if (timestamp && request.calendar) steps.push(...calendarSteps(numericValues(table, timestamp), family));
  if (timestamp && request.holidays) steps.push({ op: "holiday", ...request.holidays, reach: HOLIDAY_REACH });
  steps.push(...targetSteps(request, targets));
  return checkPipeline({ version: PIPELINE_VERSION, target, timestamp, timezone, grid, steps });
}

/** Levels of the target are centred like the target itself; spreads and differences are only scaled. */
function targetSteps(
  { lags, rolling, differences = [], family }: PipelineRequest,
  targets: Float64Array,
): FeatureStep[] {
  const { center, scale } = standardScale(targets);
  const isLinear = family === "linear";
  const fill = isLinear ? "previous" : null;
  const windowStep = ({ window, shift, statistic }: RollingRequest): FeatureStep => {
    const middle = statistic === "std" ? 0 : statistic === "sum" ? window * center : center;
    return { op: "rolling", window, shift, statistic, fill: isLinear ? middle : null, center: middle, scale };
  };
  return [
    ...lags.map((steps): FeatureStep => ({ op: "lag", steps, fill, center, scale })),
    ...rolling.map(windowStep),
    ...differences.map((difference): FeatureStep => ({ op: "difference", ...difference, fill, scale })),
  ];
}

function inputSteps(
  column: Column,
  { sourceProjectId, missing }: { sourceProjectId: string | undefined; missing: boolean },
  targets: Float64Array,
  { family, impute }: PipelineRequest,
): FeatureStep[] {
  const feature = column.name;
  if (column.type === "category") {
    if (!variesAmong(column.codes)) return [];
    const step = categoryStep(column, targets, family);
    return missing ? [{ op: "impute", feature, strategy: "keep", value: null }, step] : [step];
  }
  if (!variesAmong(column.values)) return [];
  const strategy = impute ?? (family === "linear" ? "median" : "keep");
  const fill =
    strategy === "keep" ? null : (strategy === "mean" ? mean(column.values) : median(column.values)) + 0;
  if (sourceProjectId !== undefined)
    return [{ op: "upstream", feature, sourceProjectId, fill: missing ? fill : null }];
  const unit = column.type === "timestamp" ? 1 / DAY_MS : 1;
  const number: FeatureStep =
    family === "linear"
      ? { op: "number", feature, ...standardScale(column.values) }
      : { op: "number", feature, scale: unit };
  return missing ? [{ op: "impute", feature, strategy, value: fill }, number] : [number];
}

/** Returns what brings values to mean 0 and spread 1: small changes beside a large constant are lost in 32 bits. */
export function standardScale(values: Float64Array): { center: number; scale: number } {
  const center = mean(values) + 0;
  const spread = Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
  const scale = 1 / spread;
  return Number.isFinite(scale) && scale > 0 ? { center, scale } : { center, scale: 1 };
}

/** @throws InvalidFeatureStep where one of the two is no input with numbers */
function combineStep(
  { operation, feature, other }: CombinationRequest,
  { table, inputs, family }: PipelineRequest,
  fills: Fills,
): FeatureStep {
  for (const name of [feature, other]) {
    const column = inputs.includes(name) ? findColumn(table, name) : undefined;
    if (column === undefined || column.type === "category") {
      throw new InvalidFeatureStep(
        `A ${operation} needs two input columns with numbers that vary: "${name}" is none.`,
      );
    }
  }
  const step: Step<"combine"> = { op: "combine", operation, feature, other, fill: null };
  if (family === "trees") return step;
  return { ...step, fill: median(Float64Array.from(combineOutput(table, step, fills).values)) };
}

export function hasMissing(column: Column): boolean {
  return column.type === "category"
    ? column.codes.includes(-1)
    : column.values.some((value) => Number.isNaN(value));
}
