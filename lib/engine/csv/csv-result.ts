import type { Table } from "#lib/contract/table";
import type { TextChunkDecoder } from "./decode.ts";
import type { Delimiter } from "./dialect.ts";
import { guessedEncoding } from "./encodings.ts";
import type { FileRows } from "./file-rows.ts";
import type { CsvWarning, IssueList } from "./issues.ts";
import { emptyColumns } from "./missing-values.ts";
import { numbersAsTexts } from "./numbers-as-texts.ts";
import type { CsvColumn, CsvOptions, CsvResult } from "./options.ts";
import { type Origin, placeIssues, placeWarnings } from "./origin.ts";
import { strangeValues, withSkipping } from "./strange-values.ts";

/** State of a reader at the end of a file. */
type ReadFile = {
  /** Null without a header. */
  rows: FileRows | null;
  header: string[];
  origin: Origin;
  issues: IssueList;
  /** The columns add to them when they end. */
  warnings: readonly CsvWarning[];
  sheetWarnings: readonly CsvWarning[];
  decoder: TextChunkDecoder;
  delimiter: Delimiter;
  decimalComma: boolean;
  options: CsvOptions;
};

/** Ends the columns of a file, and adds what only the whole file shows: empty columns and doubtful values. */
export function csvResult(file: ReadFile): CsvResult {
  const { rows, header, origin, decoder, delimiter, decimalComma, options } = file;
  const { table, read, times, dateOrder } = rows?.finish() ?? nothingRead();
  const rowCount = rows?.count ?? 0;
  const isNew = options.columns === undefined;
  const { issues, count } = file.issues;
  return {
    table,
    columns: read,
    rowCount,
    header,
    issues: placeIssues(isNew ? withSkipping(issues, count, rowCount) : issues, origin),
    issueCount: count,
    origin,
    warnings: placeWarnings(
      [
        ...file.warnings,
        ...(isNew && options.encoding === undefined ? guessedEncoding(decoder) : []),
        ...file.sheetWarnings,
        ...emptyOf(read, rowCount, file.issues),
        ...numbersAsTexts(table, options),
        ...strangeValues(table, options),
      ],
      origin,
    ),
    times,
    dateOrder,
    delimiter,
    encoding: decoder.encoding,
    decimalComma,
  };
}

/**
 * Returns the warnings about empty columns, without columns whose values were rejected. Returns none if not all issues are
 * listed.
 */
function emptyOf(
  columns: readonly CsvColumn[],
  rowCount: number,
  { issues, count }: IssueList,
): CsvWarning[] {
  if (issues.length < count) return [];
  const rejected = new Set(issues.map(({ column }) => column));
  return emptyColumns(columns, rowCount).filter(({ column }) => !rejected.has(column));
}

const noRows: Table = { rowCount: 0, columns: [] };
const nothingRead = (): ReturnType<FileRows["finish"]> => ({
  table: noRows,
  read: [],
  times: null,
  dateOrder: null,
});
