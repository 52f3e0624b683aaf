/** A start that failed for a reason that the user can mend; the message says what it is and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
