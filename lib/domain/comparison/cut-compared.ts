import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import { type Alignable, gather } from "#lib/engine/series/align";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { type CutAxis, cutAxis } from "#lib/engine/series/cut-axis";

type CutCompared = {
  series: readonly Alignable[];
  /** Epoch milliseconds, or row numbers from 1; both ends inclusive. */
  window: { from?: number; to?: number };
  /** Known values of the target; null if none is known. */
  actuals: KnownTarget | null;
};

/** An axis, and whether an actual value is known at one of its points. */
export type ComparedAxis = CutAxis & { hasActuals: boolean };

/**
 * Number of values of all series in a stretch. A slow download holds about 16 MB: these values and the CSV made of them.
 */
const STRETCH_VALUES = 4 * CHUNK_VALUES;

/** Cuts the axis of a comparison into stretches, as a task. */
export async function cutCompared({ series, window, actuals }: CutCompared): Promise<ComparedAxis> {
  const points = Math.min(CHUNK_VALUES, Math.floor(STRETCH_VALUES / series.length));
  const axis = cutAxis(series, window, points);
  return { ...axis, hasActuals: axis.isTimed && actuals !== null && hasActualsIn(series, axis, actuals) };
}

function hasActualsIn(
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
