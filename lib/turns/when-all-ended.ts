/**
 * As `Promise.all`, but where one fails the others are waited for as well: what they hold of a turn is free then.
 *
 * @throws what the first of them throws
 */
export async function whenAllEnded<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
