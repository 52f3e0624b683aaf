import { type OutOfSample, writeOutOfSample } from "#lib/engine/inference/out-of-sample-file";
import type { PanelBackTests } from "./panel-backtests.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Writes the back-tests: those of the newest origin as validation, the others as back-tests. */
export function outOfSampleFile(
  data: PanelData,
  tests: PanelBackTests,
  predictions: Float64Array,
  last: number,
): Uint8Array {
  const entries = Int32Array.from(tests.rows.keys());
  const block = (from: number, to: number): OutOfSample => ({
    from: tests.rows[from]!,
    actual: tests.actual.slice(from, to),
    predicted: predictions.slice(from, to),
    steps: tests.steps.slice(from, to),
  });
  const earlier: OutOfSample[] = [];
  const newest: number[] = [];
  for (let from = 0, to = 0; from < entries.length; from = to) {
    while (
      to < entries.length &&
      tests.places[to] === tests.places[from] &&
      tests.ofOrigin[to] === tests.ofOrigin[from]
    )
      to++;
    if (tests.ofOrigin[from] === last) for (let at = from; at < to; at++) newest.push(at);
    else earlier.push(block(from, to));
  }
  const rows = newest.slice(-100_000);
  // The rows of the newest origin are not consecutive, so they get numbers after all others.
  const base = data.rowNumbers.length;
  const take = <T>(values: ArrayLike<T>, indexes: readonly number[]) => indexes.map((at) => values[at]!);
  return writeOutOfSample(
    {
      backTests: earlier,
      validation: {
        from: base,
        actual: Float64Array.from(take(tests.actual, rows)),
        predicted: Float64Array.from(take(predictions, rows)),
        steps: Int32Array.from(take(tests.steps, rows)),
      },
    },
    {
      rowNumbers: joined(
        Int32Array,
        data.rowNumbers,
        rows.map((at) => data.rowNumbers[tests.rows[at]!]!),
      ),
      times: joined(
        Float64Array,
        data.times,
        rows.map((at) => data.times[tests.rows[at]!]!),
      ),
    },
  );
}

function joined<T extends Int32Array | Float64Array>(
  type: new (length: number) => T,
  first: T,
  then: readonly number[],
): T {
  const all = new type(first.length + then.length);
  all.set(first);
  all.set(then, first.length);
  return all;
}
