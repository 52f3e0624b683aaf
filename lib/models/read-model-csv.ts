import type { Table } from "#lib/contract/table";
import type { CsvCheck } from "#lib/csv/check-against";
import type { CsvResult } from "#lib/csv/options";
import { readForFeatures } from "#lib/csv/read-for-features";
import { readCsvFile } from "#lib/datasets/read-dataset-file";
import { dropColumns } from "#lib/ml/table/columns";
import type { OpenFile } from "#lib/threads/task";
import type { OpenModel } from "./open-model.ts";
import { readableFeatures } from "./readable-features.ts";
import type { UpstreamModels } from "./upstream-features.ts";

export type ModelCsv = {
  check: CsvCheck;
  /** The columns that the model reads, as far as the file has them; only to be used if the check is valid. */
  table: Table;
  file: CsvResult;
};

/**
 * Reads a CSV as input for a model and checks it, for scenarios and their validation. A time of date and hour may come
 * in its two columns, or whole in the first. Upstream features may be there or not.
 *
 * @param modelOf where given, the columns that upstream models need to compute them are read as well
 */
export async function readModelCsv(
  model: OpenModel,
  open: OpenFile,
  modelOf?: UpstreamModels,
): Promise<ModelCsv> {
  const inputFeatures = modelOf ? await readableFeatures(model, modelOf) : model.inputFeatures;
  const { check, file } = await readForFeatures(
    (options) => readCsvFile(open, options),
    inputFeatures,
    model.inputFormat,
  );
  const known = new Set(inputFeatures.map(({ name }) => name));
  const extra = file.table.columns.map(({ name }) => name).filter((name) => !known.has(name));
  return { check, table: dropColumns(file.table, extra), file };
}
