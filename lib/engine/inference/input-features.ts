import type { Column, ColumnType, Table } from "#lib/contract/table";
import { describedCategoriesMax } from "#lib/engine/csv/outside-training";
import { mean, median, presentValues } from "#lib/engine/features/statistics";
import { requireColumn } from "#lib/engine/table/columns";

/** A column that the model reads, with statistics of its training rows. */
export type InputFeature = {
  name: string;
  type: ColumnType;
  role: "input" | "upstream" | "timestamp";
  /** Whether the input must contain the column. The service can compute upstream columns itself. */
  required: boolean;
  /** Whether values can be missing, because a step imputes them. */
  missingAllowed: boolean;
  /** Range on the training rows, in epoch milliseconds for timestamps; null for categories. */
  min: number | null;
  max: number | null;
  mean: number | null;
  median: number | null;
  missing: number;
  categories: string[] | null;
  sourceProjectId: string | null;
};

export function describeInput(
  training: Table,
  name: string,
  role: InputFeature["role"],
  options: { missingAllowed: boolean; sourceProjectId?: string | undefined },
): InputFeature {
  const column = requireColumn(training, name);
  return {
    name,
    type: column.type,
    role,
    required: role !== "upstream",
    missingAllowed: options.missingAllowed,
    ...describeValues(column),
    sourceProjectId: options.sourceProjectId ?? null,
  };
}

function describeValues(
  column: Column,
): Pick<InputFeature, "min" | "max" | "mean" | "median" | "missing" | "categories"> {
  if (column.type === "category") {
    const counts = new Int32Array(column.categories.length);
    let missing = 0;
    for (const code of column.codes) {
      if (code < 0) missing++;
      else counts[code]!++;
    }
    const categories = [...column.categories.keys()]
      .filter((code) => counts[code]! > 0)
      .sort((a, b) => counts[b]! - counts[a]! || a - b)
      .slice(0, describedCategoriesMax)
      .map((code) => column.categories[code]!);
    return { min: null, max: null, mean: null, median: null, missing, categories };
  }
  const present = presentValues(column.values);
  const missing = column.values.length - present.length;
  if (present.length === 0)
    return { min: null, max: null, mean: null, median: null, missing, categories: null };
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of present) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max, mean: mean(present), median: median(present), missing, categories: null };
}
