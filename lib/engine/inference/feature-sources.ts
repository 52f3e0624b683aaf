import type { ContributionKind } from "#lib/contract/contributions";
import { spanText } from "#lib/contract/duration-text";
import {
  type FeaturePipeline,
  type FeatureStep,
  isLagged,
  type RollingStatistic,
  targetReads,
} from "#lib/engine/features/pipeline";
import { FIELD_CYCLE, FIELD_NAMES } from "#lib/engine/time/calendar";

/**
 * Returns the input feature of each model input, in the order of `buildFeatures`. The source of a calendar field is
 * the timestamp, that of a lag the target, and that of a ratio its numerator.
 */
export function featureSources(pipeline: FeaturePipeline): string[] {
  return pipeline.steps.flatMap((step) => new Array<string>(outputCount(step)).fill(source(pipeline, step)));
}

/**
 * Feature of the table that a model input comes from, the kind of part that it contributes, and what is derived from
 * the feature: "hour of day"; null for the feature's own values.
 */
export type FeatureSource = { feature: string; kind: ContributionKind; detail: string | null };

/** Returns the source of each model input, in the order of `buildFeatures`. */
export function inputSources(pipeline: FeaturePipeline): FeatureSource[] {
  return pipeline.steps.flatMap((step) =>
    new Array<FeatureSource>(outputCount(step)).fill({
      feature: source(pipeline, step),
      kind: kind(step),
      detail: detail(pipeline, step),
    }),
  );
}

function kind(step: FeatureStep): ContributionKind {
  if (targetReads(step)) return "past";
  if (step.op === "trend") return "level";
  return step.op === "calendar" || step.op === "holiday" ? "calendar" : "input";
}

const statisticNames: Record<RollingStatistic, string> = {
  mean: "mean",
  min: "minimum",
  max: "maximum",
  sum: "sum",
  median: "median",
  std: "standard deviation",
};

function detail({ grid }: FeaturePipeline, step: FeatureStep): string | null {
  const span = (steps: number) => spanText(steps, grid?.frequency ?? null);
  switch (step.op) {
    case "calendar":
      return FIELD_NAMES[step.field];
    case "holiday":
      return "holidays";
    case "trend":
      return "trend";
    case "number":
      if (!isLagged(step)) return null;
      return "steps" in step.past ? `value ${span(step.past.steps)} earlier` : "earlier values, decaying";
    case "lag":
      return `value ${span(step.steps)} earlier`;
    case "rolling":
      return `${statisticNames[step.statistic]} of ${span(step.window)}, up to ${span(step.shift)} earlier`;
    case "difference":
      return `change over ${span(step.span)}, up to ${span(step.shift)} earlier`;
    default:
      return null;
  }
}

/** Groups model inputs with equal sources. `places[i]` is the group of input `i`. */
export function groupSources(sources: readonly FeatureSource[]): {
  groups: FeatureSource[];
  places: number[];
} {
  const names = sources.map(({ feature, kind, detail }) => JSON.stringify([kind, feature, detail]));
  const distinct = [...new Set(names)];
  return {
    groups: distinct.map((name) => sources[names.indexOf(name)]!),
    places: names.map((name) => distinct.indexOf(name)),
  };
}

/** Returns the parts of a feature's importance, largest first; nothing if the model reads only its own values. */
export function importanceParts(
  feature: string,
  groups: readonly FeatureSource[],
  gains: readonly number[],
): { parts?: { detail: string | null; gain: number }[] } {
  const parts = groups.flatMap((group, at) =>
    group.feature === feature ? [{ detail: group.detail, gain: gains[at]! }] : [],
  );
  if (parts.every(({ detail }) => detail === null)) return {};
  return { parts: parts.sort((a, b) => b.gain - a.gain) };
}

/** Returns the index of each step's first model input. */
export function stepColumns({ steps }: FeaturePipeline): number[] {
  let next = 0;
  return steps.map((step) => {
    const place = next;
    next += outputCount(step);
    return place;
  });
}

function source(pipeline: FeaturePipeline, step: FeatureStep): string {
  if ("feature" in step) return step.feature;
  return targetReads(step) ? pipeline.target : pipeline.timestamp!;
}

function outputCount(step: FeatureStep): number {
  if (step.op === "impute") return 0;
  if (step.op === "onehot") return step.categories.length;
  if (step.op === "holiday") return 3;
  if (step.op !== "calendar") return 1;
  if (step.encoding === "cyclic") return 2 * step.harmonics;
  return step.encoding === "onehot" && step.field !== "year" ? FIELD_CYCLE[step.field].count : 1;
}
