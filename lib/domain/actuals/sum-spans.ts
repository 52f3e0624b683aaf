import { RunningSum } from "#lib/engine/series/sum";
import { wireNumber } from "#lib/engine/series/summary";

type ToSum = {
  /** Known values at times in any order, epoch milliseconds. */
  times: Float64Array;
  values: Float64Array;
  /** Both ends inclusive. */
  spans: readonly { from: number; to: number }[];
};

/** Adds the known values of each span. */
export async function sumSpans({ times, values, spans }: ToSum) {
  return spans.map(({ from, to }) => {
    const sum = new RunningSum();
    let actualRows = 0;
    times.forEach((time, row) => {
      if (!(time >= from && time <= to)) return;
      sum.add(values[row]!);
      actualRows++;
    });
    return { actual: actualRows === 0 ? null : wireNumber(sum.value), actualRows };
  });
}
