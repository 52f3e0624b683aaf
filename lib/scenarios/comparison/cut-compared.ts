import { actualsAmong, type KnownTarget } from "#lib/actuals/actuals-of";
import { type Alignable, gather } from "#lib/series/align";
import { type CutAxis, cutAxis } from "#lib/series/cut-axis";

export type CutCompared = {
  series: readonly Alignable[];
  /** Epoch milliseconds, or row numbers from 1; both ends are included. */
  window: { from?: number; to?: number };
  /** What is known of what they predict; null where nothing is. */
  actuals: KnownTarget | null;
};

/** An axis, and whether anything of what was is known at its points. */
export type ComparedAxis = CutAxis & { isKnown: boolean };

/** Cuts the axis of a comparison into stretches, as a task. */
export async function cutCompared({ series, window, actuals }: CutCompared): Promise<ComparedAxis> {
  const axis = cutAxis(series, window);
  return { ...axis, isKnown: axis.isTimed && actuals !== null && isKnownOf(series, axis, actuals) };
}

function isKnownOf(
  series: readonly Alignable[],
  { orderOf, orders, cuts }: CutAxis,
  actuals: KnownTarget,
): boolean {
  return orders.some((order, index) => {
    const all = series[orderOf.indexOf(index)]!.timestamps!;
    const [start, end] = [cuts[0]![index]!, cuts.at(-1)![index]!];
    const times = order === null ? all.subarray(start, end) : gather(all, order.subarray(start, end));
    return actualsAmong(actuals, times) !== null;
  });
}
