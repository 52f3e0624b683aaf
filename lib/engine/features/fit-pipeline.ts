import type { Column, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import { calendarSteps } from "./calendar-steps.ts";
import { categoryStep } from "./category-steps.ts";
import { checkPipeline, InvalidFeatureStep } from "./check-pipeline.ts";
import { combineOutput, type Fills } from "./column-outputs.ts";
import type { GridDefinition } from "./grid.ts";
import type { FeaturePipeline, FeatureStep, Step } from "./pipeline.ts";
import { PIPELINE_VERSION } from "./pipeline-schema.ts";
import { mean, median, variesAmong } from "./statistics.ts";

type RequestedFeatures = NonNullable<TrainModel["features"]>;
export type RollingRequest = NonNullable<RequestedFeatures["rolling"]>[number];
type CombinationRequest = NonNullable<RequestedFeatures["combinations"]>[number];

/** Features created only on request. */
export type ExtraFeatures = Pick<RequestedFeatures, "differences" | "combinations" | "impute"> & {
  /** `days` are the holidays as days since 1970-01-01, ascending. */
  holidays?: { country: string; region: string | null; days: number[] } | undefined;
};

export type PipelineRequest = ExtraFeatures & {
  /** Training rows. The columns include target and timestamp. */
  table: Table;
  target: string;
  timestamp: string | null;
  timezone: string;
  grid: GridDefinition | null;
  /** Input columns in order, including those with predictions of an upstream project. */
  inputs: string[];
  upstream: { feature: string; sourceProjectId: string }[];
  /** Inputs that are complete here but may have missing values in other rows, and therefore need a fill value. */
  missing?: ReadonlySet<string>;
  calendar: boolean;
  lags: number[];
  rolling: RollingRequest[];
  /** Trees accept missing values and ordinal codes. A linear model needs fill values, one-hot columns and waves. */
  family: "trees" | "linear";
};

const DAY_MS = 86_400_000;

/** Maximum distance in days at which a holiday has an effect. */
const HOLIDAY_REACH = 7;

/**
 * Fits the state of every step to the given rows: fill values, category orders, and calendar fields whose cycle the
 * rows cover. Constant and empty inputs give no step.
 *
 * @throws InvalidFeatureStep for a lag that reads the future
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

/** Centers and scales target levels like the target itself. Spreads and differences are only scaled. */
function targetSteps(
  { lags, rolling, differences = [], family }: PipelineRequest,
  targets: Float64Array,
): FeatureStep[] {
  const { center, scale } = standardScale(targets);
  const isLinear = family === "linear";
  const fill = isLinear ? "previous" : null;
  const windowStep = ({ window, shift, statistic }: RollingRequest): FeatureStep => {
    const middle = statistic === "std" ? 0 : center;
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
  const scaling = family === "linear" ? standardScale(column.values) : null;
  if (sourceProjectId !== undefined)
    return [{ op: "upstream", feature, sourceProjectId, fill: missing ? fill : null, ...scaling }];
  const unit = column.type === "timestamp" ? 1 / DAY_MS : 1;
  const number: FeatureStep = { op: "number", feature, ...(scaling ?? { scale: unit }) };
  return missing ? [{ op: "impute", feature, strategy, value: fill }, number] : [number];
}

/** Returns the scaling to mean 0 and spread 1. Without it, 32 bits lose small changes next to a large constant. */
export function standardScale(values: Float64Array): { center: number; scale: number } {
  const center = mean(values) + 0;
  const spread = Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
  const scale = 1 / spread;
  return Number.isFinite(scale) && scale > 0 ? { center, scale } : { center, scale: 1 };
}

/** @throws InvalidFeatureStep if one of the two is not a numeric input */
function combineStep(
  { operation, feature, other }: CombinationRequest,
  { table, inputs, family }: PipelineRequest,
  fills: Fills,
): FeatureStep {
  for (const name of [feature, other]) {
    const column = inputs.includes(name) ? findColumn(table, name) : undefined;
    if (column === undefined || column.type === "category") {
      throw new InvalidFeatureStep(
        `A ${operation} needs two numeric input columns that vary. "${name}" is not one.`,
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
