import type { Choice } from "#lib/contract/reading";
import type { IssueCode } from "#lib/engine/csv/issues";

/** Reason why a workbook or a Parquet file cannot be read. */
export class UnreadableFileError extends Error {
  readonly code: IssueCode;
  readonly choices: Choice[] | undefined;
  readonly column: string | undefined;

  constructor(
    code: IssueCode,
    message: string,
    cause?: unknown,
    { choices, column }: { choices?: Choice[]; column?: string } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.choices = choices;
    this.column = column;
  }

  /** The same as plain data. */
  get failure() {
    const { code, message, choices, column } = this;
    return { code, message, ...(choices && { choices }), ...(column !== undefined && { column }) };
  }
}
