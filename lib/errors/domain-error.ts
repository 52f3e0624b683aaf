import type { ErrorCode } from "#lib/contract/error-codes";

/** One place where something is wrong. `row` counts from 1, the header not counted. */
export type ErrorDetail = {
  field?: string | undefined;
  row?: number | null | undefined;
  column?: string | null | undefined;
  value?: string | null | undefined;
  expected?: string | undefined;
  id?: string | undefined;
  code?: string | undefined;
  message: string;
};

/** A refusal that the caller can understand and act on. Knows no HTTP. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly details: ErrorDetail[];
  /** How long to wait before trying again, where waiting helps. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
