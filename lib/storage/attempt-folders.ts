/**
 * Key of what one attempt at a job writes. Each has a folder of its own, so that one that was believed dead and wakes
 * writes over nothing: the row that is stored with it names the one that counts.
 */
export function attemptKey(place: string, { id, attempt }: { id: string; attempt: number }): string {
  return `${place}-${id}-${attempt}`;
}
