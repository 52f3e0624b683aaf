import { limits } from "#lib/contract/limits";
import type { Adjustment } from "#lib/contract/scenarios";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import type { SeriesChoice, SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { type ChosenPanel, chosenBy, readPanels } from "#lib/domain/scenarios/panel/shown-scenarios";
import { keyValues, type PanelRows } from "#lib/engine/panel/panel-rows";
import { seriesKey } from "#lib/engine/panel/series-index";
import type { Context } from "#lib/platform/context/context";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";

type Conditions = NonNullable<Adjustment["where"]>;

/** The series of a scenario that a what-if predicts. */
export type FewSeries = ChosenPanel & {
  /** Keys of the chosen series (`seriesKey`). */
  keys: ReadonlySet<string>;
  /**
   * Conditions with which adjustments change exactly these series, those of one adjustment each. Without a choice, one adjustment
   * needs none.
   */
  conditions: Conditions[];
};

/**
 * Finds the series that a what-if predicts; null for a scenario with one series.
 *
 * @throws {DomainError} series_not_found; validation_failed for an invalid choice, and for more than 200 series
 */
export async function chooseFew(
  ctx: Context,
  row: ScenarioRow,
  query: SeriesQuery,
): Promise<FewSeries | null> {
  const { panels, choice } = await readPanels(ctx, [row], query);
  const { panel: found } = chosenBy(choice)(panels[0]!);
  if (found === null) return null;
  const { panel, chosen } = found;
  const places = [...panel.values.keys()].filter((place) => chosen === null || chosen[place] === 1);
  if (places.length > limits.whatIfSeries) throw tooManySeriesError(places.length);
  const keys = new Set(places.map((place) => seriesKey(keyValues(panel, place))));
  return { ...found, keys, conditions: conditionsOf(panel, places, choice) };
}

/** Returns whether a row (from 0) belongs to a chosen series. */
export const isRowOf = ({ panel, chosen }: FewSeries, row: number): boolean =>
  chosen === null || chosen[panel.ofRow[row]!] === 1;

/** Returns the combinations of the chosen values, or the series one by one if they are fewer. */
function conditionsOf(
  panel: PanelRows,
  places: readonly number[],
  { series, where }: SeriesChoice,
): Conditions[] {
  const equals = (feature: string, value: string) => ({ feature, operator: "=" as const, value });
  const accepted = where.map(({ column, values }) => ({ column, values: [...new Set(values)] }));
  const combinations = accepted.reduce((product, { values }) => product * values.length, 1);
  if (series !== null || combinations > places.length)
    return places.map((place) =>
      keyValues(panel, place).map((value, at) => equals(panel.columns[at]!, value)),
    );
  return accepted.reduce<Conditions[]>(
    (lists, { column, values }) =>
      lists.flatMap((list) => values.map((value) => [...list, equals(column, value)])),
    [[]],
  );
}

function tooManySeriesError(count: number): DomainError {
  const message = `${count.toLocaleString("en")} series are chosen. A what-if predicts at most ${limits.whatIfSeries}. Choose fewer by \`series\` or \`where\`, or create a scenario with the adjustments.`;
  return issueError("validation_failed", { field: "where", code: "too_many_series", message });
}
