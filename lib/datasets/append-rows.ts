import type { Context } from "#lib/context/context";
import type { AppendRows, Dataset, Warning } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import { checkAgainst, type ExpectedFeature, optionsFor } from "#lib/csv/check-against";
import { type CsvWarning, FaultList } from "#lib/csv/faults";
import type { CsvResult } from "#lib/csv/options";
import { DomainError } from "#lib/errors/domain-error";
import { numericValues } from "#lib/ml/table/columns";
import { concatTables } from "#lib/ml/table/concat";
import { alignRows } from "./align-rows.ts";
import { describeDataset } from "./build-dataset.ts";
import { csvRefusal } from "./csv-refusal.ts";
import { currentDataset, type DatasetRow, readStoredTable, settingsOf } from "./current-dataset.ts";
import type { DatasetProfile } from "./dataset-profile.ts";
import { openSource, type SourceFile } from "./file-source.ts";
import { readDatasetFile } from "./read-dataset-file.ts";
import { saveDataset } from "./save-dataset.ts";
import { csvOptionsOf, type DatasetSettings } from "./settings.ts";

/**
 * Adds rows of the same columns to the project's dataset: for a series later ones than it has, in any order.
 *
 * @throws {DomainError} dataset_not_found, validation_failed for base64, input_invalid with all faults of the CSV
 */
export async function appendRows(
  ctx: Context,
  { projectId, ...body }: AppendRows & { projectId: string },
): Promise<Dataset> {
  const source = await openSource(ctx.db, { projectId, ...body });
  // Another request may add rows meanwhile; the new rows are then added to what it left.
  for (;;) {
    const current = await currentDataset(ctx.db, projectId);
    if (current === null)
      throw new DomainError("dataset_not_found", "The project has no dataset to add rows to.");
    const settings = settingsOf(current);
    const stored = await readStoredTable(current);
    const added = await readAddedRows(source, current, stored, settings);
    const { columns } = current.profile as DatasetProfile;
    const joined = concatTables([stored, alignRows(added.table, stored, settings)]);
    const built = describeDataset(
      joined,
      columns.map(({ name }) => name),
      settings,
    );
    const saved = await saveDataset(ctx, {
      projectId,
      fileName: current.fileName,
      settings: { ...settings, dateOrder: settings.dateOrder ?? added.dateOrder },
      built: { ...built, warnings: [...added.warnings, ...built.warnings] },
      after: current,
    });
    if (saved !== null) return saved;
  }
}

async function readAddedRows(
  source: SourceFile,
  current: DatasetRow,
  stored: Table,
  settings: DatasetSettings,
) {
  const { file, features } = await readLike(source, stored, settings);
  const { faults, faultCount, warnings } = checkAgainst(file, features);
  if (faultCount > 0) throw csvRefusal({ faults, faultCount });
  const early =
    settings.timestampColumns && current.lastTimestamp ? rowsNotAfter(file, current.lastTimestamp) : null;
  if (early !== null && early.count > 0) throw csvRefusal({ faults: early.faults, faultCount: early.count });
  return {
    table: file.table,
    warnings: warnings.map(appendWarning),
    dateOrder: file.times?.dateOrder ?? null,
  };
}

/** Reads the file with the dataset's types; a joined time may also come already joined, in the first column alone. */
async function readLike(source: SourceFile, stored: Table, settings: DatasetSettings) {
  const [timestamp, hours] = settings.timestampColumns ?? [];
  const expected = (withHours: boolean) =>
    stored.columns
      .filter(({ name }) => withHours || name !== hours)
      .map(
        ({ name, type }): ExpectedFeature => ({
          name,
          type,
          role: name === timestamp ? "timestamp" : "input",
          required: !settings.exclude.includes(name),
          missingAllowed: name !== timestamp && name !== hours,
        }),
      );
  const read = async (withHours: boolean) => {
    const features = expected(withHours);
    const times = withHours ? settings.timestampColumns : (timestamp ?? null);
    const options = optionsFor(features, { ...csvOptionsOf(settings), categories: [], timestamp: times });
    return { features, file: await readDatasetFile(source, options, settings.exclude) };
  };
  const both = await read(true);
  const joined = hours !== undefined && both.file.header.length > 0 && !both.file.header.includes(hours);
  return joined ? read(false) : both;
}

function appendWarning({ code, column, message, rows }: CsvWarning): Warning {
  const text = code === "unknown_column" ? `The dataset has no column "${column}"; it is ignored.` : message;
  return { code, column, message: text, ...(rows === undefined ? {} : { rows }) };
}

function rowsNotAfter(file: CsvResult, last: Date): FaultList {
  const faults = new FaultList(limits.errorDetails);
  const column = file.times!.column;
  numericValues(file.table, column).forEach((time, index) => {
    if (time > last.getTime()) return;
    const value = new Date(time).toISOString();
    faults.add({
      row: index + 1,
      column,
      value,
      code: "timestamps_unsorted",
      message: `Row ${index + 1}, column "${column}": the time ${value} is not after ${last.toISOString()}, the last one of the dataset.`,
      expected: `a time after ${last.toISOString()}`,
    });
  });
  return faults;
}
