import { instantOf } from "#lib/contract/instant";
import type { Adjustment } from "#lib/contract/scenarios";
import type { Column, NumericColumn } from "#lib/contract/table";
import { readIso } from "#lib/engine/csv/time-readers";

export type AdjustmentValue = Adjustment["value"];
export type AdjustmentCondition = NonNullable<Adjustment["where"]>[number];

/** One adjustment of a what-if scenario. `from` and `to` are epoch milliseconds, both inclusive. */
export type InputAdjustment = Omit<Adjustment, "from" | "to"> & {
  from?: number | undefined;
  to?: number | undefined;
};

/** Converts adjustments of the wire format: times become epoch milliseconds. */
export function inputAdjustments(adjustments: readonly Adjustment[]): InputAdjustment[] {
  return adjustments.map(({ from, to, ...rest }) => ({
    ...rest,
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
  }));
}

/** Returns the generated columns without those that an adjustment sets at all rows. */
export function stillGenerated(
  generated: readonly string[] | undefined,
  adjustments: readonly Omit<Adjustment | InputAdjustment, "value">[],
): string[] {
  const isWhole = ({ operation, from, to, where = [] }: Omit<Adjustment | InputAdjustment, "value">) =>
    operation === "set" && from === undefined && to === undefined && where.length === 0;
  const set = new Set(adjustments.filter(isWhole).map(({ feature }) => feature));
  return (generated ?? []).filter((feature) => !set.has(feature));
}

export type AdjustmentIssue = {
  /** Position in the list of adjustments, from 0. */
  adjustment: number;
  code: "unknown_feature" | "wrong_type" | "no_timestamp" | "after_to" | "not_finite" | "series_column";
  message: string;
};

/** Name and type of a column. */
export type TypedName = Pick<Column, "name" | "type">;

/** Returns a value as a CSV cell would be read: surrounding white space is trimmed, and an empty value is missing. */
export function categoryOf(value: AdjustmentValue): string {
  return String(value).trim();
}

/** Returns a value as the column stores it; NaN if it does not fit the type. */
export function numberOf(type: NumericColumn["type"], value: AdjustmentValue): number {
  if (type === "boolean") {
    if (typeof value === "boolean") return value ? 1 : 0;
    return value === 0 || value === 1 ? value : Number.NaN;
  }
  if (type === "timestamp" && typeof value === "string") return readIso(value).ms;
  return typeof value === "number" && Number.isFinite(value) ? value : Number.NaN;
}
