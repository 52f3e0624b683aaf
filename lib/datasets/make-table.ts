import { buildDataset } from "#lib/domain/datasets/build-dataset";
import { type StoredDataset, storeDataset } from "#lib/domain/datasets/dataset-table";
import { readDatasetFile } from "#lib/domain/datasets/read-dataset-file";
import { checkColumnsExist, csvOptionsOf, type DatasetSettings } from "#lib/domain/datasets/settings";
import type { OpenFile } from "#lib/threads/task";

/**
 * Makes a dataset of a file, and stores its columns in a folder of the artifact store.
 *
 * @throws {DomainError} validation_failed for settings that the file does not fit, input_invalid with all its faults
 */
export async function makeTable(
  { settings, artifactKey }: { settings: DatasetSettings; artifactKey: string },
  open: OpenFile,
): Promise<StoredDataset> {
  const file = await readDatasetFile(open, csvOptionsOf(settings), settings.exclude);
  if (file.header.length > 0) checkColumnsExist(settings, file.header);
  return storeDataset(artifactKey, buildDataset(file, settings), file.times?.dateOrder ?? null);
}
