import type { InputFeature as FeatureOfModel } from "#lib/contract/models";
import type { Table } from "#lib/contract/table";
import { profileColumn } from "#lib/engine/csv/profile";
import { requireColumn } from "#lib/engine/table/columns";

/** A column that the model reads, with statistics of its training rows. */
export type InputFeature = Omit<FeatureOfModel, "missingAllowed" | "missing"> & {
  missingAllowed: boolean;
  missing: number;
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
