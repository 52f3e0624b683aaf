import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { rejectTooManyCells, streamCsvFile } from "#lib/domain/datasets/read-csv-file";
import type { InputFormat } from "#lib/domain/models/input-format";
import { laterOf } from "#lib/domain/models/linked/known-rows";
import type { CsvCheck } from "#lib/engine/csv/check-against";
import { type Issue, IssueList } from "#lib/engine/csv/issues";
import { streamForFeatures } from "#lib/engine/csv/stream-for-features";
import { checkInput } from "#lib/engine/inference/check-input";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { fillLevels, type KnownLevels } from "#lib/engine/panel/fill-levels";
import { dropColumns, selectExisting } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import type { OpenFile } from "#lib/platform/threads/messages";
import { type InputNotes, type InputSummary, summarizeInput, writeInputRows } from "./scenario-input.ts";
import { writeUpstreamOnly } from "./upstream-only-columns.ts";

/** Plain data, so it can be sent to a thread. */
type InputRequest = {
  /** Features that the CSV may contain. */
  features: InputFeature[];
  format: InputFormat;
  /** Columns of the scenario's own model. Other columns are read for upstream models. */
  own: string[];
  /** The timestamp column. */
  timestamp: string | null;
  /** Levels of known series, for files without these columns. Rows of other series need the columns. Null for one series. */
  levels: KnownLevels | null;
  /** Maximum number of rows. */
  rowsMax: number;
  /** Folder for a valid input; null: check only. */
  storeAs: string | null;
  /** Notes to store with the input. */
  notes: InputNotes;
};

export type CheckedInput = InputSummary & {
  check: Omit<CsvCheck, "warnings"> & { warnings: Warning[] };
  /** Columns that only upstream models read. */
  upstreamOnly: string[];
};

/**
 * Reads a CSV as the input of a scenario, block by block. Writes the columns of the scenario's model while it checks them.
 * An input with issues is not stored. Columns that only upstream models read are stored separately.
 *
 * @throws {DomainError} input_invalid for more rows than a scenario allows, or more values than the memory limit allows
 */
export async function checkAndStoreInput(
  { features, format, own, timestamp, levels, rowsMax, storeAs, notes }: InputRequest,
  open: OpenFile,
): Promise<CheckedInput> {
  const readsUpstream = features.some(({ role }) => role === "upstream");
  const upstreamOnlyNames = features.map(({ name }) => name).filter((name) => !own.includes(name));
  const upstreamOnly: Table[] = [];
  let summary: InputSummary = { columns: [], rowCount: 0, latest: null };
  let check: CsvCheck | undefined;
  const ofLevels = new IssueList();
  async function* rows() {
    const blocks = streamForFeatures((options) => streamCsvFile(open, options, rowsMax), features, format);
    for await (const block of checkedRows(blocks, (found) => (check = withIssues(found, ofLevels)))) {
      const given = selectExisting(block, own);
      const table = levels === null ? given : fillLevels(given, levels);
      if (table !== given) ofLevels.addAll(missingLevels({ given, table }, features, summary.rowCount));
      const { columns, rowCount, latest } = summarizeInput(table, timestamp);
      summary = {
        columns,
        rowCount: summary.rowCount + rowCount,
        latest: laterOf(summary.latest, latest),
      };
      if (readsUpstream) {
        rejectTooManyCells(summary.rowCount * block.columns.length);
        upstreamOnly.push(selectExisting(block, upstreamOnlyNames));
      }
      yield table;
    }
  }
  try {
    if (storeAs === null) for await (const _ of rows());
    else {
      await writeInputRows(storeAs, rows(), notes);
      if (readsUpstream) await writeUpstreamOnly(storeAs, concatTables(upstreamOnly));
    }
  } catch (error) {
    if (!(error instanceof InvalidRows)) throw error;
  }
  return { check: check!, upstreamOnly: upstreamOnly[0]?.columns.map(({ name }) => name) ?? [], ...summary };
}

/** Stops the writing of rows with issues. */
class InvalidRows extends Error {}

async function* checkedRows<T>(
  rows: AsyncGenerator<T, CsvCheck>,
  onEnd: (check: CsvCheck) => CsvCheck,
): AsyncGenerator<T> {
  if (!onEnd(yield* rows).valid) throw new InvalidRows();
}

function withIssues(check: CsvCheck, further: IssueList): CsvCheck {
  const issues = new IssueList();
  issues.addAll({ issues: check.issues, count: check.issueCount });
  issues.addAll(further);
  return { ...check, valid: issues.count === 0, issues: issues.issues, issueCount: issues.count };
}

/**
 * Finds rows without a level, in the level columns that the file lacks. The known rows have no levels of an unknown series.
 *
 * @param before number of rows that precede the table
 */
function missingLevels(
  { given, table }: { given: Table; table: Table },
  features: readonly InputFeature[],
  before: number,
): { issues: Issue[]; count: number } {
  const added = dropColumns(
    table,
    given.columns.map(({ name }) => name),
  );
  const names = new Set(added.columns.map(({ name }) => name));
  const levels = features.filter(({ name }) => names.has(name));
  const { issues, issueCount } = checkInput(added, levels, "", before);
  const withAdvice = (issue: Issue) => ({
    ...issue,
    message: `${issue.message} The known rows have none for its series, so add the column.`,
  });
  return { issues: issues.map(withAdvice), count: issueCount };
}
