import type { Dataset } from "#lib/contract/datasets";
import type { Model } from "#lib/contract/models";
import type { TrainModel } from "#lib/contract/train-model";

/** Parses a field as a number. Empty means unset; invalid text becomes NaN, which the schema rejects. */
export function numberOrUnset(text: unknown): number | undefined {
  const trimmed = String(text ?? "").trim();
  return trimmed === "" ? undefined : Number(trimmed);
}

/** Parses "1, 24 168" as numbers; empty means unset. */
export function lagsOrUnset(text: unknown): number[] | undefined {
  if (Array.isArray(text)) return text;
  const parts = String(text ?? "")
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.map(Number);
}

/** Parses "price: decreasing, temp: increasing" as directions by column. The schema rejects invalid directions. */
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

/** Replaces the schema's wrong-type messages: fields hold text, so the input was not a number. */
export function trainIssue(issue: { code?: string | undefined; expected?: unknown }): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  return issue.expected === "int" ? "Use a whole number" : "Use a number";
}

/**
 * Returns the horizon of the latest training, if one was set for rows as far apart as those of the dataset.
 *
 * @param models newest first; imported ones have no training
 */
export function formerHorizon(
  models: readonly Pick<Model, "request" | "datasetFrequency">[],
  { frequency }: Dataset,
): number | undefined {
  const { request, datasetFrequency = frequency } = models.find((model) => model.request !== null) ?? {};
  const horizon = request?.horizon;
  return typeof horizon === "number" && datasetFrequency === frequency ? horizon : undefined;
}

type Unset<T> = { [K in keyof T]?: T[K] | undefined };

/** Returns the request with only the chosen settings; the service's defaults apply to the rest. */
export function chosenSettings(values: TrainModel): TrainModel {
  const { features, hyperparameters, validation, ...top } = values;
  const chosenFeatures = chosen({
    lags: features?.lags,
    rolling: features?.rolling?.length ? features.rolling : undefined,
    calendar: features?.calendar === false ? false : undefined,
    inputs: features?.inputs === true ? true : undefined,
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
