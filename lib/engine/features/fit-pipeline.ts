import type { Column, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import { calendarSteps } from "./calendar-steps.ts";
import { categoryStep } from "./category-steps.ts";
import { checkPipeline, InvalidFeatureStep } from "./check-pipeline.ts";
import { combineOutput, type Fills, logarithm } from "./column-outputs.ts";
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

/** Earlier values of each numeric input that a model reads: those of the last `steps` rows, and a mean that decays. */
export type InputLags = NonNullable<RequestedFeatures["inputLags"]>;

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
  inputLags?: InputLags | undefined;
  /** Whether the target holds logarithms. Inputs that are like prices then enter as logarithms too. */
  logs?: boolean | undefined;
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
  { family, impute, logs = false, inputLags = { steps: 0 } }: PipelineRequest,
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
  const log = logs && sourceProjectId === undefined ? leastOfLogs(column) : undefined;
  const values = log === undefined ? column.values : column.values.map((value) => logarithm(value, log));
  const scaling = family === "linear" ? standardScale(values) : null;
  if (sourceProjectId !== undefined)
    return [{ op: "upstream", feature, sourceProjectId, fill: missing ? fill : null, ...scaling }];
  const unit = column.type === "timestamp" ? 1 / DAY_MS : 1;
  const number: Step<"number"> = {
    op: "number",
    feature,
    ...(log !== undefined && { log }),
    ...(scaling ?? { scale: unit }),
  };
  // The time of an earlier row adds nothing to that of this row.
  const { steps, decay }: InputLags = column.type === "timestamp" ? { steps: 0 } : inputLags;
  const past = [
    ...Array.from({ length: steps }, (_, at) => ({ steps: at + 1 })),
    ...(decay === undefined ? [] : [{ decay }]),
  ];
  const numbers = [number, ...past.map((past): FeatureStep => ({ ...number, past }))];
  return missing ? [{ op: "impute", feature, strategy, value: fill }, ...numbers] : numbers;
}

/** Maximum ratio of two values of an input that enters as logarithms: a value near 0 would decide its coefficient. */
const LOG_RATIO_MAX = 100;
/** Maximum number of distinct integers of a code, whose ratios have no meaning. */
const CODES_MAX = 12;

/** Returns half of the minimum of an input that enters as logarithms: positive, and no code. Undefined for other inputs. */
function leastOfLogs({ type, values }: Exclude<Column, { type: "category" }>): number | undefined {
  if (type !== "number") return undefined;
  const known = values.filter((value) => !Number.isNaN(value));
  const [least, most] = known.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const,
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const,
  );
  if (!(least > 0 && most / least <= LOG_RATIO_MAX)) return undefined;
  const isCode = known.every(Number.isInteger) && new Set(known).size <= CODES_MAX;
  return isCode ? undefined : least / 2;
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
