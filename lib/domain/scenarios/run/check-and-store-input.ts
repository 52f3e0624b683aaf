import { refuseTooManyRows } from "#lib/domain/datasets/read-csv-file";
import { type ExpectedCsv, readModelCsv, streamModelCsv } from "#lib/domain/models/read-model-csv";
import type { CsvCheck } from "#lib/engine/csv/check-against";
import { dropColumns, selectColumns } from "#lib/engine/table/columns";
import type { OpenFile } from "#lib/platform/threads/messages";
import { writeOtherColumns } from "./other-columns.ts";
import {
  type InputNotes,
  type InputSummary,
  laterOf,
  summarizeInput,
  writeInputRows,
  writeScenarioInput,
} from "./scenario-input.ts";

type InputRequest = {
  expected: ExpectedCsv;
  /** Columns of the scenario's own model. Other columns are read for upstream models. */
  own: string[];
  /** The timestamp column. */
  timestamp: string | null;
  /** Folder for a valid input; null: check only. */
  storeAs: string | null;
  /** Notes to store with the input. */
  notes: InputNotes;
};

export type CheckedInput = InputSummary & {
  check: CsvCheck;
  /** Columns that only upstream models read. */
  others: string[];
};

/** Reads a CSV as the input of a scenario, checks it, and stores it if valid. */
export async function checkAndStoreInput(request: InputRequest, open: OpenFile): Promise<CheckedInput> {
  const readsOthers = request.expected.features.some(({ role }) => role === "upstream");
  return readsOthers ? readWhole(request, open) : streamRows(request, open);
}

async function readWhole(
  { expected, own, timestamp, storeAs, notes }: InputRequest,
  open: OpenFile,
): Promise<CheckedInput> {
  const { check, table: read } = await readModelCsv(expected, open);
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

/** Streams a CSV whose columns all belong to the scenario's model: stores rows while reading, block by block. */
async function streamRows(
  { expected, own, timestamp, storeAs, notes }: InputRequest,
  open: OpenFile,
): Promise<CheckedInput> {
  let summary: InputSummary = { columns: [], rowCount: 0, latest: null };
  let check: CsvCheck | undefined;
  async function* rows() {
    for await (const block of checkedRows(streamModelCsv(expected, open), (found) => (check = found))) {
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

/** Stops the writing of rows with issues. */
class InvalidRows extends Error {}

async function* checkedRows<T>(
  rows: AsyncGenerator<T, CsvCheck>,
  onEnd: (check: CsvCheck) => void,
): AsyncGenerator<T> {
  const check = yield* rows;
  onEnd(check);
  if (!check.valid) throw new InvalidRows();
}
