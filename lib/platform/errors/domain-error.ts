import type { ErrorCode } from "#lib/contract/error-codes";

/** Location of one issue. `row` counts from 1, without the header. */
export type ErrorDetail = {
  field?: string | undefined;
  row?: number | null | undefined;
  column?: string | null | undefined;
  value?: string | null | undefined;
  expected?: string | undefined;
  /** Nearest existing name, for an unknown name. */
  nearest?: string | undefined;
  id?: string | undefined;
  /** Project of the entity with this id, if it may differ from the requested project. */
  projectId?: string | undefined;
  code?: string | undefined;
  message: string;
};

/** Returns the details, followed by the number of issues not listed. */
export function countedDetails(details: readonly ErrorDetail[], unlisted: number): ErrorDetail[] {
  if (unlisted <= 0) return details.slice();
  const more = unlisted === 1 ? "1 more issue is" : `${unlisted} more issues are`;
  return [...details, { code: "more", message: `${more} not listed` }];
}

/** Error that the caller can act on. Independent of HTTP. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly details: ErrorDetail[];
  /** Number of issues beyond those in `details`. */
  readonly unlisted: number;
  /** Delay before a retry, if a retry can succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** Missing part of a `service_unavailable`, for the metrics. Undefined: the cause shows it. */
  readonly lacks: "capacity" | "realtime" | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorDetail[];
      unlisted?: number;
      retryAfterSeconds?: number;
      lacks?: "capacity" | "realtime";
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.unlisted = options.unlisted ?? 0;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.lacks = options.lacks;
  }

  /**
   * Compares by name: the web process has two copies of this class, one in the Next.js bundle and one in the sources.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "DomainError";
  }
}

/** Returns the error of one issue. The message of the issue is also the message of the error. */
export function issueError(code: ErrorCode, issue: ErrorDetail, cause?: unknown): DomainError {
  return new DomainError(code, issue.message, { details: [issue], cause });
}

/**
 * Throws the error of all `issues`, if there is one. The first message is also the message of the error.
 *
 * @param unlisted number of further issues, which the error counts but does not list
 */
export function requireNoIssues(code: ErrorCode, issues: ErrorDetail[], unlisted = 0): void {
  const [first] = issues;
  if (first !== undefined) throw new DomainError(code, first.message, { details: issues, unlisted });
}
