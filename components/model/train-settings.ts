import type { TrainModel } from "#lib/contract/train-model";

/** Text of a field as a number; empty is "not chosen", and what is no number becomes NaN, which the schema refuses. */
export function numberOrUnset(text: unknown): number | undefined {
  const trimmed = String(text ?? "").trim();
  return trimmed === "" ? undefined : Number(trimmed);
}

/** "1, 24 168" as numbers; empty is "not chosen". */
export function lagsOrUnset(text: unknown): number[] | undefined {
  if (Array.isArray(text)) return text;
  const parts = String(text ?? "")
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.map(Number);
}

/** "price: decreasing, temp: increasing" as directions by column; what is neither is refused by the schema. */
export function directionsOrUnset(text: unknown) {
  if (typeof text === "object" && text !== null) return text;
  const parts = String(text ?? "")
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.lastIndexOf(":");
      return at < 0 ? [part, ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
}

export const choiceOrUnset = (text: unknown) => (text === "" ? undefined : text);

/** Words for what the schema can only call a wrong type: fields hold text, so that a number is what was not written. */
export function trainFault(issue: { code?: string | undefined; expected?: unknown }): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  return issue.expected === "int" ? "Write a whole number" : "Write a number";
}

type Unset<T> = { [K in keyof T]?: T[K] | undefined };

/** The request with what was chosen, and nothing else: the service's defaults apply to the rest. */
export function chosenSettings(values: TrainModel): TrainModel {
  const { features, hyperparameters, validation, ...top } = values;
  const chosenFeatures = chosen({
    lags: features?.lags,
    rolling: features?.rolling?.length ? features.rolling : undefined,
    calendar: features?.calendar === false ? false : undefined,
    holidays: features?.holidays?.country ? chosen(features.holidays) : undefined,
  });
  const chosenParameters = chosen({
    ...hyperparameters,
    earlyStopping: hyperparameters?.earlyStopping === false ? false : undefined,
  });
  return {
    ...chosen(top),
    ...(Object.keys(chosenFeatures).length > 0 && { features: chosenFeatures }),
    ...(validation?.fraction !== undefined && { validation }),
    ...(Object.keys(chosenParameters).length > 0 && { hyperparameters: chosenParameters }),
  };
}

function chosen<T extends object>(values: Unset<T>): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
