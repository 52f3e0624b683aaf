/** Node.js error codes and SQLSTATE for a full disk. */
const full = /^(ENOSPC|EDQUOT|53100)$/;

/**
 * Error codes of Node.js, of the PostgreSQL driver and of the artifact store: a service is unreachable or overloaded.
 */
const connectionCodes = [
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT"],
  ...["CONNECT_TIMEOUT", "CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED"],
];
const codes = new Set([...connectionCodes, "EMFILE", "ENFILE", "ESTOREAWAY"]);
/** SQLSTATEs of lost connections, and of statements and sessions that the server ended after a time-out. */
const sqlStates = /^(08|53)\w{3}$|^57P0[1-5]$|^57014$|^55P03$|^25P0[34]$/;

/** Returns whether an error or one of its causes means that an external service is temporarily unavailable. */
export function isOutage(error: unknown): boolean {
  return hasCode(error, (code) => codes.has(code) || sqlStates.test(code) || full.test(code));
}

/** Returns whether an error means that the database connection failed, regardless of the statement. */
export function isDatabaseAway(error: unknown): boolean {
  const isAway = (code: string) => connectionCodes.includes(code) || /^08\w{3}$|^57P0[123]$/.test(code);
  return hasCode(error, isAway) && !hasCode(error, (code) => code === "ESTOREAWAY");
}

/** Returns whether an error means that storage is full. */
export function isFull(error: unknown): boolean {
  return hasCode(error, (code) => full.test(code));
}

/** Returns the component that is unavailable; null for an error that is no outage. */
export function outageCause(error: unknown): "database" | "store" | "disk" | null {
  if (!isOutage(error)) return null;
  if (isFull(error)) return "disk";
  return hasCode(error, (code) => code === "ESTOREAWAY") ? "store" : "database";
}

function hasCode(error: unknown, matches: (code: string) => boolean): boolean {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string" && matches(code)) return true;
  }
  return false;
}
