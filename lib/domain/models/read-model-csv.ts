import type { Table } from "#lib/contract/table";
import { readCsvFile, readCsvRows } from "#lib/domain/datasets/read-dataset-file";
import type { CsvCheck } from "#lib/engine/csv/check-against";
import { readForFeatures } from "#lib/engine/csv/read-for-features";
import { rowsForFeatures } from "#lib/engine/csv/rows-for-features";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { dropColumns } from "#lib/engine/table/columns";
import type { OpenFile } from "#lib/threads/task";
import type { InputFormat } from "./input-format.ts";
import type { OpenModel } from "./open-model.ts";
import { readableFeatures } from "./readable-features.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/** What is to be known of a model to read a CSV for it: plain data, so that a thread can be told. */
export type ModelInput = { features: InputFeature[]; format: InputFormat };

/** @param modelOf where given, the columns that upstream models need to compute theirs are read as well */
export async function modelInput(model: OpenModel, modelOf?: UpstreamModels): Promise<ModelInput> {
  const features = modelOf ? await readableFeatures(model, modelOf) : model.inputFeatures;
  return { features, format: model.inputFormat };
}

/**
 * Reads a CSV as input for a model and checks it, for scenarios and their validation. A time of date and hour may come
 * in its two columns, or whole in the first. Upstream features may be there or not.
 *
 * @returns the columns that the model reads, as far as the file has them; only to be used if the check is valid
 */
export async function readModelCsv(
  { features, format }: ModelInput,
  open: OpenFile,
): Promise<{ check: CsvCheck; table: Table }> {
  const { check, file } = await readForFeatures((options) => readCsvFile(open, options), features, format);
  const known = new Set(features.map(({ name }) => name));
  const extra = file.table.columns.map(({ name }) => name).filter((name) => !known.has(name));
  return { check, table: dropColumns(file.table, extra) };
}

/**
 * The same, giving out rows while it reads, then the check of all of them: only if that is valid may they be used.
 */
export async function* readModelRows(
  { features, format }: ModelInput,
  open: OpenFile,
): AsyncGenerator<Table, CsvCheck> {
  const known = new Set(features.map(({ name }) => name));
  const rows = rowsForFeatures((options) => readCsvRows(open, options), features, format);
  try {
    for (;;) {
      const { done, value } = await rows.next();
      if (done) return value;
      yield { ...value, columns: value.columns.filter(({ name }) => known.has(name)) };
    }
  } finally {
    await rows.return(undefined as never);
  }
}
