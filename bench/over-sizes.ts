import { exponent } from "./exponent.ts";
import type { Measurement } from "./measure.ts";

/** Measured of so many; with what it held at most, where that is known. */
export type Sized = { measurement: Measurement; megabytes?: number | null };

/** Measures one size after the other; the last tells by which powers of it time and memory grow. */
export async function* overSizes(
  sizes: readonly number[],
  measureOf: (size: number) => Promise<Sized>,
): AsyncGenerator<Measurement> {
  const times: { size: number; value: number }[] = [];
  const memory: { size: number; value: number }[] = [];
  for (const size of sizes) {
    const { measurement, megabytes = null } = await measureOf(size);
    times.push({ size, value: measurement.ours.medianMs });
    const notes: string[] = [];
    if (megabytes !== null) {
      memory.push({ size, value: megabytes });
      notes.push(`${megabytes.toFixed(megabytes < 10 ? 2 : 0)} MB`);
    }
    if (size === sizes.at(-1)) {
      notes.push(`time grows as n to the power ${exponent(times).toFixed(2)}`);
      if (memory.length > 0) notes.push(`memory as ${exponent(memory).toFixed(2)}`);
    }
    yield notes.length > 0 ? { ...measurement, note: notes.join("; ") } : measurement;
  }
}
