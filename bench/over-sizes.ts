import { exponent } from "./exponent.ts";
import type { Measurement } from "./measure.ts";

/** Measurement at one size, with the megabytes that it used in memory or on disk, if known. */
type Sized = { measurement: Measurement; megabytes?: number | null };

/** Measures one size after the other. The note of the last size holds the growth exponents of time and megabytes. */
export async function* overSizes(
  sizes: readonly number[],
  measureOf: (size: number) => Promise<Sized>,
): AsyncGenerator<Measurement> {
  const times: { size: number; value: number }[] = [];
  const space: { size: number; value: number }[] = [];
  for (const size of sizes) {
    const { measurement, megabytes = null } = await measureOf(size);
    times.push({ size, value: measurement.ours.medianMs });
    const notes: string[] = [];
    if (megabytes !== null) {
      space.push({ size, value: megabytes });
      notes.push(`${megabytes.toFixed(megabytes < 10 ? 2 : 0)} MB`);
    }
    if (size === sizes.at(-1)) {
      notes.push(`time grows as n^${exponent(times).toFixed(2)}`);
      if (space.length > 0) notes.push(`MB grow as n^${exponent(space).toFixed(2)}`);
    }
    yield notes.length > 0 ? { ...measurement, note: notes.join("; ") } : measurement;
  }
}
