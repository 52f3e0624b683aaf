import type { ForecastErrors, ScenarioActuals } from "#lib/contract/actuals";
import type { GroupPage } from "#lib/domain/scenarios/panel/resolve-series";
import type { ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import { groupSeries, rankGroups } from "#lib/engine/panel/group-series";
import { chosenTimes, sumSeries, totalsOfGroups } from "#lib/engine/panel/sum-series";

const GROUPS_DEFAULT = 50;

type Judged = { groups: NonNullable<ScenarioActuals["groups"]>; next: number | null };

/**
 * Measures the errors of a page of the groups of a scenario's series, in descending order of their absolute totals.
 *
 * @param judge measures the sums of one group; null if no actual of them is known
 * @returns the page, and the number of groups up to its end if more follow
 */
export async function judgeGroups(
  shown: ShownScenario,
  by: readonly string[],
  { limit = GROUPS_DEFAULT, after = 0 }: GroupPage,
  judge: (group: ShownScenario) => Promise<{ errors: ForecastErrors } | null>,
): Promise<Judged> {
  const { row, panel: all } = shown;
  const { panel, prediction } = all!;
  const { values, sizes, groupOf } = groupSeries([all!], by);
  const ofSeries = groupOf[0]!;
  const span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const totals = totalsOfGroups(panel, prediction, ofSeries, { count: values.length, ...span });
  const ranked = rankGroups(values, totals);
  const end = Math.min(after + limit, ranked.length);
  const groups: Judged["groups"] = [];
  for (const group of ranked.subarray(after, end)) {
    const chosen = Uint8Array.from(ofSeries, (one) => (one === group ? 1 : 0));
    const points = sumSeries(panel, prediction, chosen);
    const places = chosenTimes(panel, chosen);
    const judged = await judge({ row, points, panel: { ...all!, chosen, places } });
    groups.push({
      values: Object.fromEntries(by.map((column, at) => [column, values[group]![at]!])),
      seriesCount: sizes[group]!,
      errors: judged?.errors ?? null,
    });
  }
  return { groups, next: end < ranked.length ? end : null };
}
