type Described = { type: string; message: string; code?: string; stack?: string; cause?: Described };

/**
 * Describes an error for the log. The database layer puts a query and its parameters into the message. Parameters may
 * be user data or a password hash, so only the query is kept.
 */
export function describeError(error: unknown): Described | unknown {
  if (!(error instanceof Error)) return error;
  return withCauses(error, 0);
}

function withCauses(error: Error, depth: number): Described {
  const { code, query } = error as Error & { code?: unknown; query?: unknown };
  const message = typeof query === "string" ? `Failed query: ${query}` : error.message;
  const frames = error.stack?.match(/^\s+at .*$/gm)?.join("\n");
  return {
    type: error.name,
    message,
    ...(typeof code === "string" ? { code } : {}),
    ...(frames === undefined ? {} : { stack: frames }),
    ...(error.cause instanceof Error && depth < 5 ? { cause: withCauses(error.cause, depth + 1) } : {}),
  };
}
