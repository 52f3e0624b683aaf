/**
 * Awaits a promise with a time limit.
 *
 * @param part name of the awaited part for the error message
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

/** Returns an outage error of the database with one of the driver's codes. */
export function outage(
  message: string,
  code: "ETIMEDOUT" | "CONNECTION_CLOSED" | "CONNECTION_ENDED" = "ETIMEDOUT",
) {
  return Object.assign(new Error(message), { code });
}
