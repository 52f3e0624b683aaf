import type { CsvCheck } from "#lib/csv/check-against";
import { dropColumns, selectColumns } from "#lib/ml/table/columns";
import { type ModelInput, readModelCsv } from "#lib/models/read-model-csv";
import type { OpenFile } from "#lib/threads/task";
import { writeOtherColumns } from "./other-columns.ts";
import { type InputSummary, summarizeInput, writeScenarioInput } from "./scenario-input.ts";

export type InputReading = {
  input: ModelInput;
  /** Columns that are the scenario's own; others are read for the upstream models that need them. */
  own: string[];
  /** The column of times. */
  timestamp: string | null;
  /** Folder to store a valid input in. */
  storeAs: string | null;
};

export type ReadInput = InputSummary & {
  check: CsvCheck;
  /** Columns that only upstream models read. */
  others: string[];
};

/** Reads a CSV as the input of a scenario, checks it, and stores it. */
export async function readInput(
  { input, own, timestamp, storeAs }: InputReading,
  open: OpenFile,
): Promise<ReadInput> {
  const { check, table: read } = await readModelCsv(input, open);
  const present = new Set(read.columns.map(({ name }) => name));
  const table = selectColumns(
    read,
    own.filter((name) => present.has(name)),
  );
  const others = dropColumns(read, own);
  if (storeAs !== null && check.valid) {
    if (input.features.some(({ role }) => role === "upstream")) await writeOtherColumns(storeAs, others);
    await writeScenarioInput(storeAs, { table, computed: [], knownUntil: null });
  }
  return { check, others: others.columns.map(({ name }) => name), ...summarizeInput(table, timestamp) };
}
