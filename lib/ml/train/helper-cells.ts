/** A helper's cells: the number of the step that it is to do, and of the one that it has done. */
export const ORDERED = 0;
export const DONE = 1;

/** In place of a step's number: there is nothing more to do; not there yet; failed. */
export const END = -1;
export const NOT_STARTED = -2;
export const FAILED = -3;

/** Looks at a cell before a thread goes to sleep: about as long as waking it would take. */
const LOOKS = 2_000;

/** Waits until the cell no longer holds `value`, or the time is over. Returns what it holds. */
export function waitWhile(cells: Int32Array, cell: number, value: number, timeoutMs = Infinity): number {
  for (let look = 0; look < LOOKS; look++) {
    const found = Atomics.load(cells, cell);
    if (found !== value) return found;
  }
  Atomics.wait(cells, cell, value, timeoutMs);
  return Atomics.load(cells, cell);
}

/** Changes the cell and wakes whoever waits for that. */
export function setCell(cells: Int32Array, cell: number, value: number): void {
  Atomics.store(cells, cell, value);
  Atomics.notify(cells, cell);
}
