import type { ErrorCode } from "#lib/contract/error-codes";

/** One place where something is wrong. `row` counts from 1, the header not counted. */
export type ErrorDetail = {
  field?: string | undefined;
  row?: number | null | undefined;
  column?: string | null | undefined;
  value?: string | null | undefined;
  expected?: string | undefined;
  /** For a name that is not there: the nearest one that is. */
  nearest?: string | undefined;
  id?: string | undefined;
  /** Of the project that the thing with this id belongs to, where that may be another one than asked for. */
  projectId?: string | undefined;
  code?: string | undefined;
  message: string;
};

/** The details, and behind them how many more there are that nobody listed. */
export function countedDetails(details: readonly ErrorDetail[], unlisted: number): ErrorDetail[] {
  if (unlisted <= 0) return details.slice();
  const more = unlisted === 1 ? "1 more fault is" : `${unlisted} more faults are`;
  return [...details, { code: "more", message: `${more} not listed` }];
}

/** A refusal that the caller can understand and act on. Knows no HTTP. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly details: ErrorDetail[];
  /** How many more things there are to say than `details` has. */
  readonly unlisted: number;
  /** How long to wait before trying again, where waiting helps. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorDetail[];
      unlisted?: number;
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.unlisted = options.unlisted ?? 0;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** By name: the web process has two copies of this class, that of Next.js' bundle and its own sources'. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "DomainError";
  }
}
