import type { ListedSeries } from "#lib/contract/series";
import type { Context } from "#lib/platform/context/context";

/**
 * Returns the metrics of the project's current model by series ID. Models do not measure single series yet, so the map is
 * empty.
 */
export async function currentSeriesMetrics(
  _ctx: Context,
  _projectId: string,
): Promise<ReadonlyMap<string, NonNullable<ListedSeries["metrics"]>>> {
  return new Map();
}
