import type { Column } from "#lib/contract/table";
import { readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { shorten } from "#lib/engine/csv/issues";
import { coerceColumn, valueText } from "#lib/engine/inference/coerce-input";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { findColumn } from "#lib/engine/table/columns";
import type { LinkedProject } from "./linked-models.ts";

/** An input that a model cannot read from the dataset, with the code of the issue and a clause that states it. */
type UnreadableInput = { name: string; code: string; why: string };

/**
 * Returns the inputs that a project's model cannot read from the rows of the dataset. A trained model keeps rows that it can
 * read. An imported model keeps none, so its inputs are those of the dataset, which may have other columns.
 */
export async function unreadableInputs({ model, facts, dataset }: LinkedProject): Promise<UnreadableInput[]> {
  if (facts === null || model.history !== null || dataset === null) return [];
  const table = await readDatasetTable(dataset);
  return model.inputFeatures.flatMap((feature) => unreadable(findColumn(table, feature.name), feature) ?? []);
}

function unreadable(
  column: Column | undefined,
  { name, type, missingAllowed }: InputFeature,
): UnreadableInput | null {
  const text = `"${shorten(name)}"`;
  if (column === undefined) return { name, code: "missing_column", why: `the dataset has no column ${text}` };
  const { column: read, misfits } = coerceColumn(column, type);
  const [misfit] = misfits;
  if (misfit !== undefined) {
    const value = shorten(valueText(column, misfit) ?? "");
    const why = `column ${text} of the dataset has the value "${value}", which is not a ${type}`;
    return { name, code: `not_a_${type}`, why };
  }
  const isEmpty =
    read.type === "category" ? read.codes.every((code) => code < 0) : read.values.every(Number.isNaN);
  if (missingAllowed || !isEmpty) return null;
  return { name, code: "missing_value", why: `column ${text} of the dataset has no value` };
}
