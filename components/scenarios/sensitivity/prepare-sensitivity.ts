import type { Displays, Shown } from "#components/display/shown.ts";
import { formatInteger, formatSigned } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Sensitivity, SensitivityFeature } from "#lib/contract/sensitivity";
import type { InputChange } from "./sensitivity-query.ts";

/** Statistic of the predictions that the effects refer to. */
export type Statistic = "sum" | "mean";

type Effect = SensitivityFeature["effects"][number];

/** An effect in words and as a number. `side` is the end of the range that a value lies at; null for categories. */
type PreparedEffect = {
  text: string;
  side: "low" | "high" | null;
  value: number;
  trainingRows: number | null;
};

export type PreparedFeature = {
  name: string;
  /** How the input is shown. */
  input: Shown;
  type: SensitivityFeature["type"];
  /** Most negative and most positive effect; 0 if all effects have the other sign. */
  span: [number, number];
  /** All effects that could be computed, as listed by the service. */
  effects: PreparedEffect[];
};

export type PreparedSensitivity = {
  features: PreparedFeature[];
  /** Largest absolute effect: half the width of the picture. */
  largest: number;
  /** Value of the statistic without changes. */
  base: number | null;
  /** How predictions and effects are shown. */
  target: Shown;
  summary: string;
  remarks: string[];
};

/** Names the two ends of a numeric change. */
export const changeNames: Record<InputChange, [low: string, high: string]> = {
  percent: ["10 % less", "10 % more"],
  deviation: ["1 standard deviation less", "1 standard deviation more"],
  range: ["Minimum", "Maximum"],
};

/** Prepares the effects for a picture and a table. */
export function prepareSensitivity(
  answer: Sensitivity,
  statistic: Statistic,
  { target, displays }: { target: Shown; displays: Displays },
): PreparedSensitivity {
  const features = answer.features
    .map(({ feature, type, effects }): PreparedFeature => {
      const input = displays(feature);
      const prepared = effects.flatMap((effect, at) => {
        const value = statistic === "sum" ? effect.sumDifference : effect.meanDifference;
        return value === null
          ? []
          : [prepareEffect(effect, value, { at, type, input, change: answer.change })];
      });
      const values = [0, ...prepared.map(({ value }) => value)];
      return {
        name: feature,
        input,
        type,
        span: [Math.min(...values), Math.max(...values)],
        effects: prepared,
      };
    })
    .filter(({ effects }) => effects.length > 0);
  const largest = Math.max(0, ...features.flatMap(({ span }) => span.map(Math.abs)));
  const base = statistic === "sum" ? answer.sum : answer.mean;
  const summary = summaryOf(features, statistic, target);
  return { features, largest, base, target, summary, remarks: remarksOf(answer, displays) };
}

function prepareEffect(
  { adjustment: { operation, value: operand }, trainingRows }: Effect,
  value: number,
  {
    at,
    type,
    input,
    change,
  }: { at: number; type: SensitivityFeature["type"]; input: Shown; change: InputChange },
): PreparedEffect {
  if (type === "category") return { text: String(operand), side: null, value, trainingRows };
  if (type === "boolean")
    return { text: operand ? "Yes" : "No", side: operand ? "high" : "low", value, trainingRows };
  if (operation === "set" && change !== "range")
    return { text: `Set to ${operand}`, side: operand ? "high" : "low", value, trainingRows };
  const [low, high] = changeNames[change];
  const name = at === 0 ? low : high;
  const text = change === "percent" ? name : `${name} (${textOf(change, Number(operand), input)})`;
  return { text, side: at === 0 ? "low" : "high", value, trainingRows };
}

const textOf = (change: InputChange, operand: number, input: Shown) =>
  change === "range" ? input.text(operand) : input.withUnit(input.signed(operand));

function summaryOf([first]: readonly PreparedFeature[], statistic: Statistic, target: Shown): string {
  if (first === undefined) return "No input has a defined change.";
  if (first.span[0] === 0 && first.span[1] === 0)
    return `None of the changes has an effect on the ${statistic}.`;
  const ends = first.span.map((value) => formatSigned(value, target.formatOf(first.span))).join(" to ");
  return `${first.input.name} has the largest effect: it changes the ${statistic} of ${target.name} by ${target.withUnit(ends)}.`;
}

function remarksOf(
  { rowCount, evaluatedRows, sample, omittedFeatures, features }: Sensitivity,
  displays: Displays,
): string[] {
  const rows = `${formatInteger(evaluatedRows)} of ${counted(rowCount, "row")}`;
  const undefinedChanges = features.filter(({ effects }) => effects.length === 0);
  return [
    ...(sample === "spread" ? [`Computed from ${rows}, evenly spread.`] : []),
    ...(sample === "first" ? [`Computed from the first ${rows}.`] : []),
    ...(omittedFeatures > 0 ? [`${counted(omittedFeatures, "more input")} not computed.`] : []),
    ...(undefinedChanges.length > 0
      ? [
          `The training data does not define this change for ${undefinedChanges.map(({ feature }) => displays(feature).name).join(", ")}.`,
        ]
      : []),
  ];
}
