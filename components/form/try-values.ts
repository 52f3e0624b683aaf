import type { InputFeature } from "#lib/contract/models";
import type { PredictRequest } from "#lib/contract/predictions";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { dateRuleReader } from "#lib/engine/time/date-rule";

/** Values of the form as text, by feature. */
export type TryValues = Readonly<Record<string, string>>;

/** Significant digits of a proposed value. The request sends the same digits. */
const proposedDigits = 4;

/**
 * Returns the fields of the form: all features except the hour column of a joined timestamp, because the form has one
 * field for date and time.
 */
export function requestedFeatures(features: readonly InputFeature[]): InputFeature[] {
  return features.filter(({ role, type }) => role !== "timestamp" || type === "timestamp");
}

/** Input values of a row, by feature. Times are in ISO 8601. */
type RowValues = ReadonlyMap<string, number | string | boolean | null>;

/**
 * Returns the first row of a scenario if it is at the next time, or if there are no times. Its values suit each other and
 * the time, unlike medians of columns such as the month.
 */
export function rowAt(nextTime: string | null, { columns, rows }: ScenarioRows): RowValues | null {
  const values = new Map(columns.map(({ name }, at) => [name, rows[0]?.input[at] ?? null]));
  const time = columns.find(({ type }) => type === "timestamp")?.name;
  if (time === undefined) return nextTime === null ? values : null;
  const at = Date.parse(String(values.get(time)));
  return nextTime !== null && at === Date.parse(nextTime) ? values : null;
}

/**
 * Returns initial values: those of a row, if one is given, otherwise medians, the most frequent categories, and the step
 * after the last known time. Features that follow from the date have the values of that time.
 */
export function startValues(
  features: readonly InputFeature[],
  nextTime: string | null,
  row: RowValues | null = null,
): TryValues {
  const values = Object.fromEntries(
    features.map((feature) => {
      const rowValue = feature.type === "timestamp" ? null : (row?.get(feature.name) ?? null);
      return [feature.name, rowValue === null ? startValue(feature, nextTime) : givenText(rowValue)];
    }),
  );
  return { ...values, ...valuesOfDate(features, values) };
}

/** Returns the values of the features that follow from the date of the form. Empty without a readable date. */
export function valuesOfDate(features: readonly InputFeature[], values: TryValues): TryValues {
  const time = features.find(({ role }) => role === "timestamp");
  const instant = Date.parse(timeOf((time && values[time.name]) ?? ""));
  if (Number.isNaN(instant)) return {};
  return Object.fromEntries(
    features.flatMap(({ name, dateRule }) => {
      const value = dateRule ? dateRuleReader(dateRule)(instant) : null;
      return value === null ? [] : [[name, String(value)]];
    }),
  );
}

// Without a zone the service would use the dataset's zone, but the form uses UTC.
const timeOf = (text: string) => (/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);

/** Writes a value of a row, with few decimals. */
const givenText = (value: number | string | boolean) =>
  String(typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value);

/** Writes a time like a field for date and time: with seconds only if they are not 0. */
const timeText = (iso: string) => iso.slice(0, 19).replace(/:00$/, "");

function startValue(feature: InputFeature, nextTime: string | null): string {
  const { type, median, min, max, categories } = feature;
  if (type === "category") return categories?.[0] ?? "";
  if (type === "timestamp") {
    if (nextTime) return timeText(nextTime);
    return max === null ? "" : timeText(new Date(max).toISOString());
  }
  // An imported model has no training statistics; a row of zeros is valid input.
  if (median === null) return type === "boolean" ? "false" : "0";
  if (type === "boolean") return median >= 0.5 ? "true" : "false";
  const rounded = Number(median.toPrecision(proposedDigits));
  // The nearest value in the known range.
  return String(Math.min(max ?? rounded, Math.max(min ?? rounded, rounded)));
}

const sliderSteps = 200;

/**
 * Returns the slider's step: whole numbers if the feature's values seem to be whole. A fraction from 0 to 1 has whole
 * bounds too, but rarely a whole median.
 */
export function sliderStep(min: number, max: number, median: number | null): number {
  const isWhole = [min, max, median ?? min].every(Number.isInteger);
  return isWhole && max - min <= sliderSteps ? 1 : (max - min) / sliderSteps;
}

/** Returns a slider's value as text: inside its range, with the decimals that its step distinguishes. */
export function sliderText(
  value: number,
  { min, max, step }: { min: number; max: number; step: number },
): string {
  const decimals = Math.min(100, Math.max(0, 1 - Math.floor(Math.log10(step))));
  return String(Math.min(max, Math.max(min, Number(value.toFixed(decimals)))));
}

function cell(text: string, feature: InputFeature): number | string | boolean | null {
  if (text === "") return null;
  if (feature.type === "boolean") return text === "true";
  if (feature.type === "timestamp") return timeOf(text);
  if (feature.type !== "number") return text;
  const value = Number(text);
  // Sends invalid text unchanged, so that the service reports the problem.
  return Number.isFinite(value) ? value : text;
}

/** Builds a request for one row of input. */
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

/** Returns a curl command for a POSIX shell. */
export function curlLine(url: string, body: unknown): string {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -X POST "${url}" -H "X-API-Key: $API_KEY" -H "Content-Type: application/json" -d '${quoted}'`;
}
