import type { Model } from "#lib/contract/models";

/** One bar: a feature, or a value that the model derives from the feature `of`. */
type ImportanceRow = { name: string; of?: string; gain: number; permutation?: number | undefined };

/** Lists the features; those with derived values as one row for each of these, such as "hour of day". */
export function importanceRows(importance: Model["importance"]): ImportanceRow[] {
  return importance
    .flatMap(({ feature, gain, parts, permutation }): ImportanceRow[] =>
      parts === undefined
        ? [{ name: feature, gain, permutation }]
        : parts.map((part) => ({
            ...(part.detail === null ? { name: feature } : { name: part.detail, of: feature }),
            gain: part.gain,
          })),
    )
    .sort((a, b) => b.gain - a.gain);
}
