/**
 * Waits for all promises, like `Promise.all`, but also after a failure. Then all slots that they hold are free.
 *
 * @throws the first error
 */
export async function settleAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
