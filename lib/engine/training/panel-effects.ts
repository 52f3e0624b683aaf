import type { InputEffect } from "#lib/contract/input-effects";
import { inputSources, stepColumns } from "#lib/engine/inference/feature-sources";
import { requireColumn } from "#lib/engine/table/columns";
import type { FittedPanel, PanelSettings } from "./fit-panel-learner.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Change of an input like a price whose effect is stated. */
const FACTOR = 1.1;
/** Quantile of the normal distribution for 90%. */
const QUANTILE = 1.645;

/**
 * Returns what the model learned of each numeric input: the effect on a typical series, with the interval of the mean over
 * series. Effects that multiply are in per cent; others are in the target's unit for a series of mean size.
 */
export function panelEffects(
  data: PanelData,
  { learner, pool }: FittedPanel,
  { pipeline, link, signs }: PanelSettings,
): InputEffect[] {
  const places = stepColumns(pipeline);
  const sources = inputSources(pipeline);
  const expected = new Map(Object.entries(signs));
  const size = learner.scales.reduce((sum, scale) => sum + scale, 0) / learner.scales.length;
  return pipeline.steps.flatMap((step, i): InputEffect[] => {
    if (step.op !== "number") return [];
    const at = places[i]!;
    const { feature } = sources[at]!;
    const column = requireColumn(data.table, feature);
    if (column.type === "category") return [];
    const isLog = step.log !== undefined;
    const isSwitch = !isLog && step.center === undefined;
    const change: InputEffect["change"] = isLog
      ? { operation: "multiply", value: FACTOR }
      : isSwitch
        ? { operation: "set", value: 1 }
        : { operation: "add", value: stepOf(1 / step.scale) };
    const moved = (isLog ? Math.log(FACTOR) : change.value) * step.scale;
    const effectOf = (effect: number) =>
      link === "log" ? 100 * Math.expm1(effect * moved) : effect * moved * size;
    const [mean, error] = [pool.means[at]!, QUANTILE * pool.errors[at]!];
    const bounds = [effectOf(mean - error), effectOf(mean + error)].sort((a, b) => a - b);
    const wanted = expected.get(feature) ?? null;
    const contradicts = wanted !== null && !(mean * (wanted === "increasing" ? 1 : -1) > 0);
    return [
      {
        feature,
        change,
        unit: link === "log" ? "percent" : "target",
        effect: effectOf(mean),
        lower: bounds[0]!,
        upper: bounds[1]!,
        correlation: null,
        expected: wanted,
        warning: contradicts ? "contradicts_expected" : Math.abs(mean) <= error ? "uncertain_sign" : null,
      },
    ];
  });
}

/** Returns the power of ten next to a standard deviation. */
const stepOf = (deviation: number) => (deviation > 0 ? Number(`1e${Math.round(Math.log10(deviation))}`) : 1);
