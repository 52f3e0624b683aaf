import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import { type Alignable, gather } from "#lib/engine/series/align";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { type CutAxis, cutAxis } from "#lib/engine/series/cut-axis";

export type CutCompared = {
  series: readonly Alignable[];
  /** Epoch milliseconds, or row numbers from 1; both ends are included. */
  window: { from?: number; to?: number };
  /** What is known of what they predict; null where nothing is. */
  actuals: KnownTarget | null;
};

/** An axis, and whether anything of what was is known at its points. */
export type ComparedAxis = CutAxis & { isKnown: boolean };

/** Values of all series in a stretch: while somebody reads it slowly, some 16 MB of them and of what is made of them are held. */
const STRETCH_VALUES = 4 * CHUNK_VALUES;

/** Cuts the axis of a comparison into stretches, as a task. */
export async function cutCompared({ series, window, actuals }: CutCompared): Promise<ComparedAxis> {
  const points = Math.min(CHUNK_VALUES, Math.floor(STRETCH_VALUES / series.length));
  const axis = cutAxis(series, window, points);
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
