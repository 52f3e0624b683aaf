import type { DateRule } from "#lib/contract/date-rule";
import type { InputFeature as FeatureOfModel } from "#lib/contract/models";
import type { Table } from "#lib/contract/table";
import { profileColumn } from "#lib/engine/csv/profile";
import { codesOf, requireColumn } from "#lib/engine/table/columns";

/** A column that the model reads, with statistics of its training rows. */
export type InputFeature = Omit<FeatureOfModel, "missingAllowed" | "missing"> & {
  missingAllowed: boolean;
  missing: number;
};

export function describeInput(
  training: Table,
  name: string,
  role: InputFeature["role"],
  options: {
    missingAllowed: boolean;
    sourceProjectId?: string | undefined;
    dateRule?: DateRule | undefined;
  },
): InputFeature {
  const column = requireColumn(training, name);
  const { histogram: _, ...described } = profileColumn(column);
  const codes = column.type === "number" ? codesOf(column.values) : null;
  return {
    ...described,
    role,
    required: role !== "upstream",
    missingAllowed: options.missingAllowed,
    sourceProjectId: options.sourceProjectId ?? null,
    ...(codes && { codes }),
    ...(options.dateRule && { dateRule: options.dateRule }),
  };
}
