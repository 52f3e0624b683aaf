import type { Column, NumericColumn } from "#lib/contract/table";
import { readIso } from "#lib/engine/csv/timestamps";

export type AdjustmentValue = number | string | boolean;

export type AdjustmentCondition = {
  feature: string;
  operator: "=" | "!=" | "<" | "<=" | ">" | ">=";
  value: AdjustmentValue;
};

/** One change of a what-if scenario. `from` and `to` are epoch milliseconds, both included. */
export type InputAdjustment = {
  feature: string;
  operation: "add" | "multiply" | "set";
  value: AdjustmentValue;
  from?: number | undefined;
  to?: number | undefined;
  where?: AdjustmentCondition[] | undefined;
};

export type AdjustmentFault = {
  /** Position in the list of adjustments, from 0. */
  adjustment: number;
  code: "unknown_feature" | "wrong_type" | "no_timestamp" | "after_to" | "not_finite";
  message: string;
};

/** A column without its values. */
export type TypedName = Pick<Column, "name" | "type">;

/** A value as a file's cell would be read: white space around it is no part of it, and an empty one is missing. */
export function categoryOf(value: AdjustmentValue): string {
  return String(value).trim();
}

/** A value as the column stores it; NaN where it does not fit. */
export function numberOf(type: NumericColumn["type"], value: AdjustmentValue): number {
  if (type === "boolean") {
    if (typeof value === "boolean") return value ? 1 : 0;
    return value === 0 || value === 1 ? value : Number.NaN;
  }
  if (type === "timestamp" && typeof value === "string") return readIso(value).ms;
  return typeof value === "number" && Number.isFinite(value) ? value : Number.NaN;
}
