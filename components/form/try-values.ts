import type { InputFeature } from "#lib/contract/models";
import type { PredictRequest } from "#lib/contract/predictions";

/** What stands in the form, as text, by feature. */
export type TryValues = Readonly<Record<string, string>>;

/** Digits that matter for a value proposed in a form; the model is told no less than that. */
const proposedDigits = 4;

/** What is asked for: all but the hour's column of a joined timestamp, because the form asks for the whole time at once. */
export function askedFeatures(features: readonly InputFeature[]): InputFeature[] {
  return features.filter(({ role, type }) => role !== "timestamp" || type === "timestamp");
}

/** A sensible first row: medians, the most frequent categories, the step after the last known time. */
export function startValues(features: readonly InputFeature[], nextTime: string | null): TryValues {
  return Object.fromEntries(features.map((feature) => [feature.name, startValue(feature, nextTime)]));
}

function startValue(feature: InputFeature, nextTime: string | null): string {
  const { type, median, max, categories } = feature;
  if (type === "category") return categories?.[0] ?? "";
  if (type === "timestamp") {
    if (nextTime) return nextTime.slice(0, 16);
    return max === null ? "" : new Date(max).toISOString().slice(0, 16);
  }
  // Nothing is known of an imported model's inputs: a row of zeros is one that can be predicted.
  if (median === null) return type === "boolean" ? "false" : "0";
  if (type === "boolean") return median >= 0.5 ? "true" : "false";
  return String(Number(median.toPrecision(proposedDigits)));
}

const sliderSteps = 200;

/**
 * How far a slider over the range goes at once: by whole numbers where the feature's own seem to be such. A share from 0
 * to 1 has whole bounds too, but hardly a whole median.
 */
export function sliderStep(min: number, max: number, median: number | null): number {
  const isWhole = [min, max, median ?? min].every(Number.isInteger);
  return isWhole && max - min <= sliderSteps ? 1 : (max - min) / sliderSteps;
}

function cell(text: string, feature: InputFeature): number | string | boolean | null {
  if (text === "") return null;
  if (feature.type === "boolean") return text === "true";
  // Without a zone the service would read the dataset's; the form says UTC.
  if (feature.type === "timestamp") return /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`;
  if (feature.type !== "number") return text;
  const value = Number(text);
  // Left as text, so that the service names what is wrong with it.
  return Number.isFinite(value) ? value : text;
}

/** One row of input. */
export function predictBody(
  features: readonly InputFeature[],
  values: TryValues,
  checkpointId: string,
): PredictRequest {
  return {
    input: Object.fromEntries(
      features.map((feature) => [feature.name, [cell(values[feature.name] ?? "", feature)]]),
    ),
    ...(checkpointId !== "" && { checkpointId }),
    include: ["intervals", "contributions"],
  };
}

/** A curl line for a POSIX shell. */
export function curlLine(url: string, body: unknown, key = "$API_KEY"): string {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -X POST "${url}" -H "X-API-Key: ${key}" -H "Content-Type: application/json" -d '${quoted}'`;
}

const stepMs: Record<string, number> = { D: 86_400_000, W: 604_800_000, H: 3_600_000, M: 60_000, S: 1_000 };

/** The time one step after the last one, for durations of a fixed length and whole months and years. */
export function stepAfter(last: string, frequency: string): string | null {
  const match = /^P(?:(\d+)([DWMY]))?(?:T(\d+)([HMS]))?$/.exec(frequency);
  if (!match) return null;
  const [, days, dateUnit, hours, timeUnit] = match;
  const next = new Date(last);
  if (days && dateUnit === "M") next.setUTCMonth(next.getUTCMonth() + Number(days));
  else if (days && dateUnit === "Y") next.setUTCFullYear(next.getUTCFullYear() + Number(days));
  else if (days && dateUnit) next.setTime(next.getTime() + Number(days) * stepMs[dateUnit]!);
  if (hours && timeUnit) next.setTime(next.getTime() + Number(hours) * stepMs[timeUnit]!);
  return next.toISOString();
}
