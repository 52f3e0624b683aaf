import type { DatasetPart } from "#db/schema/datasets";
import type { Reading } from "#lib/contract/reading";
import type { Warning } from "#lib/contract/warnings";
import { datasetFromRows } from "./build-dataset.ts";
import { readTable, type StoredDataset, storeDataset } from "./dataset-table.ts";
import { isColumnWarning } from "./dataset-warnings.ts";
import type { DatasetSettings } from "./settings.ts";

export type Updating = {
  /** Folders of the current dataset, its columns in file order, and its warnings. */
  before: { parts: DatasetPart[]; header: string[]; warnings: Warning[] };
  settings: DatasetSettings;
  /** Folder of the new dataset. */
  artifactKey: string;
};

/**
 * Describes a stored dataset with other settings, and stores the result. Warnings about the reading of the file stay: the
 * stored columns do not show their reasons.
 *
 * @throws {DomainError} input_invalid for a target that has neither numbers nor two classes
 */
export async function updateTable({ before, settings, artifactKey }: Updating): Promise<StoredDataset> {
  const table = await readTable(before.parts);
  const built = datasetFromRows(table, before.header, settings);
  const kept = before.warnings.filter(({ code }) => !isColumnWarning(code));
  return storeDataset(
    artifactKey,
    { ...built, warnings: [...kept, ...built.warnings] },
    {
      dateOrder: settings.dateOrder,
      reading: settings.reading as Reading | null,
    },
    { parts: before.parts, table },
  );
}
