import type { ColumnType } from "#lib/contract/table";
import type { CsvCheck, ExpectedFeature } from "#lib/engine/csv/check-against";
import { type Issue, type IssueCode, IssueList, shorten } from "#lib/engine/csv/issues";
import type { CsvColumn } from "#lib/engine/csv/options";
import { type FeatureFormat, readForFeatures } from "#lib/engine/csv/read-for-features";
import type { OpenFile } from "#lib/platform/threads/messages";
import { readSample } from "./profile-upload.ts";

export type ColumnsCheck = Pick<CsvCheck, "issues" | "issueCount" | "warnings" | "reading"> & {
  header: string[];
  /** As in `UploadProfile`. */
  lineCount: number;
};

/**
 * Checks the columns of a stored table by its first rows, which are read exactly as all rows will be: with the stored
 * reading. Reports issues of the file, its header and the types of its columns, and warns about unknown columns. Issues
 * of single rows are found when the file is read.
 */
export async function sampleColumns(
  {
    features,
    format,
    ...size
  }: { bytes: number; lineCount: number; features: ExpectedFeature[]; format: FeatureFormat },
  open: OpenFile,
): Promise<ColumnsCheck> {
  // Otherwise, missing values would be issues, too.
  const optional = features.map((feature) => ({ ...feature, missingAllowed: true }));
  let lineCount = 0;
  const { check, file } = await readForFeatures(
    async (options) => {
      const sample = await readSample(size, open, options);
      lineCount = sample.lineCount;
      return sample.file;
    },
    optional,
    format,
  );
  const issues = new IssueList(file.header);
  for (const issue of check.issues) if (issue.row === null) issues.add(issue);
  for (const column of file.columns) {
    const issue = wrongType(column, file.rowCount, file.issues);
    if (issue !== null) issues.add(issue);
  }
  return {
    header: file.header,
    lineCount,
    issues: issues.issues,
    issueCount: issues.count,
    warnings: check.warnings.filter(({ code }) => code === "unknown_column"),
    reading: check.reading!,
  };
}

/** Texts are categories of any value, so a category has no wrong type. */
const kinds: Record<Exclude<ColumnType, "category">, { code: IssueCode; values: string }> = {
  number: { code: "not_a_number", values: "numbers" },
  boolean: { code: "not_a_boolean", values: "true or false" },
  timestamp: { code: "not_a_timestamp", values: "dates or times" },
};

/** Returns the issue of a column most of whose values cannot be read. Fewer are issues of their rows. */
function wrongType(
  { name, type, missing, rejected = 0 }: CsvColumn,
  rowCount: number,
  issues: readonly Issue[],
): Issue | null {
  if (type === "category" || rejected <= rowCount - missing) return null;
  const { code, values } = kinds[type];
  const shown = issues.find(({ column, row, value }) => column === name && row !== null && value !== null);
  const example = shown === undefined ? "" : `, such as "${shown.value}" in row ${shown.row}`;
  const message = `Column "${shorten(name)}" contains values that are not ${values}${example}.`;
  const expected = `a column "${shorten(name)}" of type ${type}`;
  return { row: null, column: name, value: null, code, message, expected };
}
