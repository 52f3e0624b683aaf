import type { InputEffect } from "#lib/contract/input-effects";
import type { PanelMetrics } from "#lib/contract/panel-metrics";
import { inputSources, stepColumns } from "#lib/engine/inference/feature-sources";
import { findColumn } from "#lib/engine/table/columns";
import type { FittedPanel, PanelSettings } from "./fit-panel-learner.ts";
import { quantilesOf } from "./panel-metrics.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Change of an input like a price whose effect is stated. */
const FACTOR = 1.1;
/** Quantile of the normal distribution for 90%. */
const QUANTILE = 1.645;
/** Maximum number of inputs whose effects are stated by series and group, and of groups of one column. */
const INPUTS_MAX = 20;
const GROUPS_MAX = 50;

type StatedEffect = {
  feature: string;
  /** Model input of the effect. */
  at: number;
  change: InputEffect["change"];
  /** Converts an effect of a series of a size to the stated unit. */
  stated: (effect: number, size: number) => number;
};

/** Returns the numeric inputs, and the change of each whose effect is stated. */
function statedEffects({ pipeline, link }: PanelSettings): StatedEffect[] {
  const places = stepColumns(pipeline);
  const sources = inputSources(pipeline);
  return pipeline.steps.flatMap((step, i): StatedEffect[] => {
    if (step.op !== "number") return [];
    const at = places[i]!;
    const isLog = step.log !== undefined;
    const isSwitch = !isLog && step.center === undefined;
    const change: InputEffect["change"] = isLog
      ? { operation: "multiply", value: FACTOR }
      : isSwitch
        ? { operation: "set", value: 1 }
        : { operation: "add", value: stepOf(1 / step.scale) };
    const moved = (isLog ? Math.log(FACTOR) : change.value) * step.scale;
    const stated = (effect: number, size: number) =>
      link === "log" ? 100 * Math.expm1(effect * moved) : effect * moved * size;
    return [{ feature: sources[at]!.feature, at, change, stated }];
  });
}

/**
 * Returns what the model learned of each numeric input: the effect on a typical series, with the interval of the mean over
 * series. Effects that multiply are in per cent; others are in the target's unit for a series of mean size.
 */
export function panelEffects({ learner, pool }: FittedPanel, settings: PanelSettings): InputEffect[] {
  const { link, signs } = settings;
  const expected = new Map(Object.entries(signs));
  const size = learner.scales.reduce((sum, scale) => sum + scale, 0) / learner.scales.length;
  return statedEffects(settings).map(({ feature, at, change, stated }) => {
    const [mean, error] = [pool.means[at]!, QUANTILE * pool.errors[at]!];
    const bounds = [stated(mean - error, size), stated(mean + error, size)].sort((a, b) => a - b);
    const wanted = expected.get(feature) ?? null;
    const contradicts = wanted !== null && !(mean * (wanted === "increasing" ? 1 : -1) > 0);
    return {
      feature,
      change,
      unit: link === "log" ? "percent" : "target",
      effect: stated(mean, size),
      lower: bounds[0]!,
      upper: bounds[1]!,
      correlation: null,
      expected: wanted,
      warning: contradicts ? "contradicts_expected" : Math.abs(mean) <= error ? "uncertain_sign" : null,
    };
  });
}

/** Returns how the effects of each numeric input differ: over series, and by the values of columns. */
export function effectsBySeries(
  data: PanelData,
  { learner }: FittedPanel,
  settings: PanelSettings,
): NonNullable<PanelMetrics["effects"]> {
  const columns = [...data.index.columns, ...data.levels].flatMap((name) => {
    const column = findColumn(data.table, name);
    return column?.type === "category" && column.categories.length <= GROUPS_MAX ? [column] : [];
  });
  return statedEffects(settings)
    .slice(0, INPUTS_MAX)
    .map(({ feature, at, stated }) => {
      const effects = Array.from(learner.scales, (scale, place) =>
        stated(learner.effects[place * learner.width + at]!, scale),
      );
      const groups = columns.map(({ name, codes, categories }) => {
        const byValue = Map.groupBy(effects.keys(), (place) => codes[data.starts[place]!]!);
        const values = [...byValue].map(([code, places]) => ({
          value: categories[code] ?? "",
          effect: places.reduce((sum, place) => sum + effects[place]!, 0) / places.length,
        }));
        return { by: name, values: values.sort((a, b) => a.effect - b.effect) };
      });
      return { feature, quantiles: quantilesOf(effects), groups };
    });
}

/** Returns the power of ten next to a standard deviation. */
const stepOf = (deviation: number) => (deviation > 0 ? Number(`1e${Math.round(Math.log10(deviation))}`) : 1);
