import { CALENDAR_FIELDS, type CalendarField } from "./calendar.ts";
import type { GridDefinition } from "./grid.ts";

export const ROLLING_STATISTICS = ["mean", "min", "max", "sum", "std", "median"] as const;
export type RollingStatistic = (typeof ROLLING_STATISTICS)[number];

/**
 * One step of feature engineering with its fitted state; plain JSON.
 * `impute` changes what later steps read of a column; each other step adds model inputs.
 * `fill` is what stands for a value that is not there (null: NaN, which trees route by themselves).
 */
export type FeatureStep =
  | { op: "impute"; feature: string; strategy: "mean" | "median" | "keep"; value: number | null }
  | { op: "number"; feature: string; scale: number }
  | { op: "ordinal"; feature: string; categories: string[] }
  | { op: "onehot"; feature: string; categories: string[] }
  | { op: "calendar"; field: CalendarField; encoding: "number" | "onehot" }
  | { op: "calendar"; field: CalendarField; encoding: "cyclic"; period: number; harmonics: number }
  | { op: "trend"; start: number; unitMs: number }
  | { op: "lag"; steps: number; fill: number | null }
  | { op: "rolling"; window: number; shift: number; statistic: RollingStatistic; fill: number | null }
  | { op: "upstream"; feature: string; sourceProjectId: string; fill: number | null };

/** How a table becomes model inputs. The same object serves training, scenarios and single predictions. */
export type FeaturePipeline = {
  version: 1;
  target: string;
  timestamp: string | null;
  timezone: string;
  /** The regular grid that lags are counted on; null where the series has none. */
  grid: GridDefinition | null;
  steps: FeatureStep[];
};

/** A lag or window that would look at the present or the future of the target, or a step that cannot be done. */
export class InvalidFeatureStep extends Error {
  override name = "InvalidFeatureStep";
}

/** Throws InvalidFeatureStep at the first step that could see the future or that lacks what it needs. */
export function checkPipeline(pipeline: FeaturePipeline): FeaturePipeline {
  if (pipeline.version !== 1) throw new InvalidFeatureStep(`Feature pipeline version ${pipeline.version}.`);
  for (const step of pipeline.steps) {
    if (step.op === "lag") {
      requirePositive(step.steps, "A lag over the target must look back at least one step");
    } else if (step.op === "rolling") {
      requirePositive(step.shift, "A rolling window over the target must end at least one step back");
      requirePositive(step.window, "A rolling window must hold at least one step");
      if (!ROLLING_STATISTICS.includes(step.statistic)) {
        throw new InvalidFeatureStep(`Unknown rolling statistic "${step.statistic}".`);
      }
    } else if (step.op === "calendar" && !CALENDAR_FIELDS.includes(step.field)) {
      throw new InvalidFeatureStep(`Unknown calendar field "${step.field}".`);
    }
    if ((step.op === "calendar" || step.op === "trend") && pipeline.timestamp === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a timestamp column.`);
    }
    if ((step.op === "lag" || step.op === "rolling") && pipeline.grid === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a series with a regular frequency.`);
    }
  }
  return pipeline;
}

/** The smallest number of steps that any feature looks back over the target; null without such a feature. */
export function shortestTargetShift(pipeline: FeaturePipeline): number | null {
  const shifts = pipeline.steps.flatMap((step) =>
    step.op === "lag" ? [step.steps] : step.op === "rolling" ? [step.shift] : [],
  );
  return shifts.length > 0 ? Math.min(...shifts) : null;
}

/** How many steps back the oldest target value lies that any feature reads; 0 without lags. */
export function longestLookback(pipeline: FeaturePipeline): number {
  return pipeline.steps.reduce((longest, step) => {
    if (step.op === "lag") return Math.max(longest, step.steps);
    if (step.op === "rolling") return Math.max(longest, step.shift + step.window - 1);
    return longest;
  }, 0);
}

function requirePositive(value: number, sentence: string): void {
  if (!Number.isInteger(value) || value < 1) throw new InvalidFeatureStep(`${sentence}; ${value} does not.`);
}
