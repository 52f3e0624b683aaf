/** Codes of Node, of the PostgreSQL driver, and SQLSTATE classes: the database (or another part) is away, full or overloaded. */
const codes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "ENOSPC",
  "EDQUOT",
  "EMFILE",
  "ENFILE",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
]);
const sqlStates = /^(08|53)\w{3}$|^57P0[1-5]$/;

/** Whether an error, or what caused it, says that something outside this process cannot be reached just now. */
export function isOutage(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string" && (codes.has(code) || sqlStates.test(code))) return true;
  }
  return false;
}
