/**
 * What is promised, if it comes in time.
 *
 * @param part who is waited for, as the error says it
 * @throws {Error} with code ETIMEDOUT, which counts as an outage
 */
export async function inTime<T>(promised: PromiseLike<T>, ms: number, part = "The database"): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(outage(`${part} has not answered within ${ms} ms`)), ms);
  try {
    return await Promise.race([promised, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error that says that the database is away, by one of the driver's codes. */
export function outage(
  message: string,
  code: "ETIMEDOUT" | "CONNECTION_CLOSED" | "CONNECTION_ENDED" = "ETIMEDOUT",
) {
  return Object.assign(new Error(message), { code });
}
