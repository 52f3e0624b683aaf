import type { ColumnType, Table } from "#lib/contract/table";
import { profileColumn } from "#lib/engine/csv/profile";
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
  const { histogram: _, ...described } = profileColumn(requireColumn(training, name));
  return {
    ...described,
    role,
    required: role !== "upstream",
    missingAllowed: options.missingAllowed,
    sourceProjectId: options.sourceProjectId ?? null,
  };
}
