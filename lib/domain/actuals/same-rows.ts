import type { ModelChanges } from "#lib/contract/actuals";
import { type Judged, measure, takeJudged } from "./measure.ts";

/** Predictions of rows that a model had not seen, and what identifies each row. */
export type Unseen = { judged: Judged; keys: readonly (string | number)[] };

/** Measures two models over the rows that both predicted; null if there are none. */
export function measureSameRows(then: Unseen, now: Unseen): ModelChanges["sameRows"] {
  const predictedNow = new Set(now.keys);
  const shared = new Set(then.keys.filter((key) => predictedNow.has(key)));
  const within = ({ judged, keys }: Unseen) =>
    takeJudged(
      judged,
      Int32Array.from(keys.keys()).filter((row) => shared.has(keys[row]!)),
    );
  const [old, recent] = [within(then), within(now)];
  const [before, after] = [measure(old), measure(recent)];
  if (before === null || after === null) return null;
  const instant = (time: number) => new Date(time).toISOString();
  const from = instant(recent.times.reduce((a, b) => Math.min(a, b)));
  const to = instant(recent.times.reduce((a, b) => Math.max(a, b)));
  return { from, to, before, after };
}

/** Concatenates the rows, without intervals. */
export function joinUnseen(first: Unseen, second: Unseen): Unseen {
  const both = (of: (judged: Judged) => Float64Array) =>
    Float64Array.of(...of(first.judged), ...of(second.judged));
  return {
    judged: {
      times: both(({ times }) => times),
      actual: both(({ actual }) => actual),
      predicted: both(({ predicted }) => predicted),
      lower: null,
      upper: null,
      baseline: both(({ baseline }) => baseline),
      areClasses: first.judged.areClasses,
    },
    keys: [...first.keys, ...second.keys],
  };
}
