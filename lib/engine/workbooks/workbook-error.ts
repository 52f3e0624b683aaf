import type { Choice } from "#lib/contract/reading";
import type { IssueCode } from "#lib/engine/csv/issues";

/** Reason why a workbook cannot be read. */
export class WorkbookError extends Error {
  readonly code: IssueCode;
  readonly choices: Choice[] | undefined;

  constructor(code: IssueCode, message: string, cause?: unknown, choices?: Choice[]) {
    super(message, { cause });
    this.code = code;
    this.choices = choices;
  }

  /** The same as plain data. */
  get failure() {
    const { code, message, choices } = this;
    return { code, message, ...(choices && { choices }) };
  }
}
