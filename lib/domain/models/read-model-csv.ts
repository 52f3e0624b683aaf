import type { Table } from "#lib/contract/table";
import { readCsvFile, streamCsvFile } from "#lib/domain/datasets/read-csv-file";
import type { CsvCheck } from "#lib/engine/csv/check-against";
import { readForFeatures } from "#lib/engine/csv/read-for-features";
import { streamForFeatures } from "#lib/engine/csv/stream-for-features";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { dropColumns } from "#lib/engine/table/columns";
import type { OpenFile } from "#lib/platform/threads/messages";
import type { InputFormat } from "./input-format.ts";
import type { OpenModel } from "./open-model.ts";
import { readableFeatures } from "./readable-features.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/** Metadata that reading a CSV for a model needs. Plain data, so it can be sent to a thread. */
export type ExpectedCsv = { features: InputFeature[]; format: InputFormat };

/** @param modelOf if given, the columns that upstream models need are read as well */
export async function expectedCsv(model: OpenModel, modelOf?: UpstreamModels): Promise<ExpectedCsv> {
  const features = modelOf ? await readableFeatures(model, modelOf) : model.inputFeatures;
  return { features, format: model.inputFormat };
}

/**
 * Reads a CSV as input for a model and checks it, for scenarios and their validation. Date and hour may be in two
 * columns, or the whole time in the first. Upstream features are optional.
 *
 * @returns the model's columns that the file has; use them only if the check is valid
 */
export async function readModelCsv(
  { features, format }: ExpectedCsv,
  open: OpenFile,
): Promise<{ check: CsvCheck; table: Table }> {
  const { check, file } = await readForFeatures((options) => readCsvFile(open, options), features, format);
  const known = new Set(features.map(({ name }) => name));
  const extra = file.table.columns.map(({ name }) => name).filter((name) => !known.has(name));
  return { check, table: dropColumns(file.table, extra) };
}

/**
 * Reads a CSV as `readModelCsv` does, but yields rows while reading, then the check of all rows. Use the rows only if
 * the check is valid.
 */
export async function* streamModelCsv(
  { features, format }: ExpectedCsv,
  open: OpenFile,
): AsyncGenerator<Table, CsvCheck> {
  const known = new Set(features.map(({ name }) => name));
  const rows = streamForFeatures((options) => streamCsvFile(open, options), features, format);
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
