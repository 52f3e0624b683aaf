/** Codes of Node and SQLSTATE: nothing more can be stored. */
const full = /^(ENOSPC|EDQUOT|53100)$/;

/** Codes of Node, of the PostgreSQL driver, of our artifact store, and SQLSTATE classes: the database (or another part) is away or overloaded. */
const connectionCodes = [
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT"],
  ...["CONNECT_TIMEOUT", "CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED"],
];
const codes = new Set([...connectionCodes, "EMFILE", "ENFILE", "ESTOREAWAY"]);
/** Besides lost connections: statements and sessions that the server has ended because they took too long. */
const sqlStates = /^(08|53)\w{3}$|^57P0[1-5]$|^57014$|^55P03$|^25P0[34]$/;

/** Whether an error, or what caused it, says that something outside this process cannot be reached or used just now. */
export function isOutage(error: unknown): boolean {
  return hasCode(error, (code) => codes.has(code) || sqlStates.test(code) || full.test(code));
}

/** Whether it says that the connection to the database was lost or could not be made, and nothing of what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  const isAway = (code: string) => connectionCodes.includes(code) || /^08\w{3}$|^57P0[123]$/.test(code);
  return hasCode(error, isAway) && !hasCode(error, (code) => code === "ESTOREAWAY");
}

/** Whether it says that there is no room left. */
export function isFull(error: unknown): boolean {
  return hasCode(error, (code) => full.test(code));
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
