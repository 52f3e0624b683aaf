import { refuseTooManyRows } from "#lib/domain/datasets/read-dataset-file";
import { type ModelInput, readModelCsv, readModelRows } from "#lib/domain/models/read-model-csv";
import type { CsvCheck } from "#lib/engine/csv/check-against";
import { dropColumns, selectColumns } from "#lib/engine/table/columns";
import { writeOtherColumns } from "#lib/scenarios/input/other-columns";
import type { OpenFile } from "#lib/threads/task";
import {
  type InputNotes,
  type InputSummary,
  laterOf,
  summarizeInput,
  writeInputRows,
  writeScenarioInput,
} from "./scenario-input.ts";

export type InputReading = {
  input: ModelInput;
  /** Columns that are the scenario's own; others are read for the upstream models that need them. */
  own: string[];
  /** The column of times. */
  timestamp: string | null;
  /** Folder to store a valid input in. */
  storeAs: string | null;
  /** What is noted beside it. */
  notes: InputNotes;
};

export type ReadInput = InputSummary & {
  check: CsvCheck;
  /** Columns that only upstream models read. */
  others: string[];
};

/** Reads a CSV as the input of a scenario, checks it, and stores it. */
export async function readInput(reading: InputReading, open: OpenFile): Promise<ReadInput> {
  const readsOthers = reading.input.features.some(({ role }) => role === "upstream");
  return readsOthers ? readWithOthers(reading, open) : readRows(reading, open);
}

async function readWithOthers(
  { input, own, timestamp, storeAs, notes }: InputReading,
  open: OpenFile,
): Promise<ReadInput> {
  const { check, table: read } = await readModelCsv(input, open);
  refuseTooManyRows(read.rowCount);
  const present = new Set(read.columns.map(({ name }) => name));
  const table = selectColumns(
    read,
    own.filter((name) => present.has(name)),
  );
  const others = dropColumns(read, own);
  if (storeAs !== null && check.valid) {
    await writeOtherColumns(storeAs, others);
    await writeScenarioInput(storeAs, { table, ...notes });
  }
  return { check, others: others.columns.map(({ name }) => name), ...summarizeInput(table, timestamp) };
}

/** All columns are the scenario's own: rows are stored while others are read, and never lie in memory all at once. */
async function readRows(
  { input, own, timestamp, storeAs, notes }: InputReading,
  open: OpenFile,
): Promise<ReadInput> {
  let summary: InputSummary = { columns: [], rowCount: 0, latest: null };
  let check: CsvCheck | undefined;
  async function* rows() {
    for await (const block of checkedRows(readModelRows(input, open), (found) => (check = found))) {
      const present = new Set(block.columns.map(({ name }) => name));
      const table = selectColumns(
        block,
        own.filter((name) => present.has(name)),
      );
      const { columns, rowCount, latest } = summarizeInput(table, timestamp);
      summary = {
        columns,
        rowCount: summary.rowCount + rowCount,
        latest: laterOf(summary.latest, latest),
      };
      yield table;
    }
  }
  try {
    if (storeAs !== null) await writeInputRows(storeAs, rows(), notes);
    else for await (const _ of rows());
  } catch (error) {
    if (!(error instanceof InvalidRows)) throw error;
  }
  return { check: check!, others: [], ...summary };
}

/** Ends the writing of rows that turned out to have faults. */
class InvalidRows extends Error {}

async function* checkedRows<T>(
  rows: AsyncGenerator<T, CsvCheck>,
  onEnd: (check: CsvCheck) => void,
): AsyncGenerator<T> {
  const check = yield* rows;
  onEnd(check);
  if (!check.valid) throw new InvalidRows();
}
