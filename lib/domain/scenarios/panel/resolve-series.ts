import type { Combination } from "#lib/contract/series-query";
import { seriesId } from "#lib/domain/datasets/series-id";
import { nearestName } from "#lib/engine/names/nearest-name";
import type { Where } from "#lib/engine/panel/group-series";
import { keyValues, type PanelRows } from "#lib/engine/panel/panel-rows";
import { seriesKey } from "#lib/engine/panel/series-index";
import { type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";

/** Series that a read chooses, and the columns by which it groups them, as query parameters. */
export type SeriesQuery = {
  series?: readonly string[] | undefined;
  /** `column:value` */
  where?: readonly string[] | undefined;
  by?: readonly string[] | undefined;
  combine?: Combination | undefined;
  /** Input column that weighs a mean. */
  weight?: string | undefined;
};

/** Page of groups of series: at most `limit`, after the first `after`. */
export type GroupPage = { limit?: number | undefined; after?: number | undefined };

/** A valid choice of series. `series`: keys of the chosen series; null: all. */
export type SeriesChoice = { series: Set<string> | null; where: Where[]; by: string[] };

export const choosesSeries = ({ series, where, by, combine, weight }: SeriesQuery): boolean =>
  [series, where, by, combine, weight].some((given) => given !== undefined && given.length > 0);

const idsOf = new WeakMap<PanelRows, Map<string, string>>();

/** Returns the key of each series of a panel, by ID. */
function keysById(projectId: string, panel: PanelRows): Map<string, string> {
  const known = idsOf.get(panel);
  if (known !== undefined) return known;
  const columns = panel.columns.slice(0, panel.keys);
  const ids = new Map(
    panel.values.map((_, place) => {
      const values = keyValues(panel, place);
      return [seriesId(projectId, columns, values), seriesKey(values)];
    }),
  );
  idsOf.set(panel, ids);
  return ids;
}

/**
 * Checks a choice of series against the panels of the scenarios that a read shows.
 *
 * @param panels null for a scenario with one series
 * @throws {DomainError} series_not_found for an ID that no scenario has; validation_failed with the known names for an unknown
 *   column or value, and for a choice among the series of a scenario with one series
 */
export function resolveSeries(
  projectId: string,
  panels: readonly (PanelRows | null)[],
  query: SeriesQuery,
): SeriesChoice {
  const { series = [], where = [], by = [], combine, weight } = query;
  if (!choosesSeries(query)) return { series: null, where: [], by: [] };
  const known = panels.filter((panel) => panel !== null);
  if (known.length < panels.length)
    requireNoIssues("validation_failed", oneSeriesIssues(query, panels.length));
  const columns = known[0]!.columns.filter((name) => known.every((panel) => panel.columns.includes(name)));
  const issues: ErrorDetail[] = by
    .filter((name) => !columns.includes(name))
    .map((name) => unknownColumn("by", name, columns));
  if (weight !== undefined && combine !== "mean") issues.push(weightOfSum);
  const accepted = new Map<string, string[]>();
  for (const text of where) {
    const column = columnOf(text, columns);
    if (column === null) {
      issues.push(unknownColumn("where", text, columns));
      continue;
    }
    const value = text.slice(column.length + 1);
    if (!known.some((panel) => hasValue(panel, column, value)))
      issues.push(unknownValue(text, { column, value }, known));
    accepted.set(column, [...(accepted.get(column) ?? []), value]);
  }
  requireNoIssues("validation_failed", issues);
  return {
    series: series.length === 0 ? null : keysOf(projectId, known, series),
    where: Array.from(accepted, ([column, values]) => ({ column, values })),
    by: [...new Set(by)],
  };
}

function keysOf(projectId: string, panels: readonly PanelRows[], series: readonly string[]): Set<string> {
  const known = panels.map((panel) => keysById(projectId, panel));
  const asked = series.map((id) => id.toLowerCase());
  const keyOf = (id: string) => known.map((keys) => keys.get(id)).find((key) => key !== undefined);
  const absent = asked.filter((id) => keyOf(id) === undefined);
  if (absent.length > 0)
    throw standardError(
      "series_not_found",
      ...absent.map((id) => ({ field: "series", id: id.slice(0, SHOWN_MAX) })),
    );
  return new Set(asked.map((id) => keyOf(id)!));
}

/** Maximum length of a malformed ID in an error message. */
const SHOWN_MAX = 100;
/** Maximum number of known values in an error message. */
const VALUES_MAX = 20;

/** Returns the column that `column:value` names. A name may contain a colon, so the longest known name applies. */
function columnOf(text: string, columns: readonly string[]): string | null {
  const named = columns.filter((name) => text.startsWith(`${name}:`));
  return named.sort((a, b) => b.length - a.length)[0] ?? null;
}

function hasValue(panel: PanelRows, column: string, value: string): boolean {
  const at = panel.columns.indexOf(column);
  return panel.values.some((own) => own[at] === value);
}

const weightOfSum: ErrorDetail = {
  field: "weight",
  code: "not_a_mean",
  message: "`weight` weighs a mean. Set `combine` to `mean`, or leave out `weight`.",
};

function oneSeriesIssues(query: SeriesQuery, scenarios: number): ErrorDetail[] {
  return (["series", "where", "by", "combine", "weight"] as const)
    .filter((field) => (query[field]?.length ?? 0) > 0)
    .map((field) => ({
      field,
      value: [query[field]!].flat().join(", ").slice(0, SHOWN_MAX),
      code: "one_series",
      message: `\`${field}\` chooses among many series, but ${scenarios === 1 ? "the scenario" : "a compared scenario"} has only one. Leave out \`${field}\`.`,
    }));
}

const listOf = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(", ");

function unknownColumn(field: "where" | "by", text: string, columns: readonly string[]): ErrorDetail {
  const name = field === "by" ? text : text.split(":", 1)[0]!;
  const nearest = nearestName(name, columns);
  const form = field === "where" && !text.includes(":") ? " Use the form `column:value`." : "";
  return {
    field,
    value: text.slice(0, SHOWN_MAX),
    code: "unknown_column",
    ...(nearest !== null && { nearest }),
    message: `${JSON.stringify(name.slice(0, SHOWN_MAX))} is not a series or level column. Use one of ${listOf(columns)}.${form}`,
  };
}

function unknownValue(
  text: string,
  { column, value }: { column: string; value: string },
  panels: readonly PanelRows[],
): ErrorDetail {
  const values = new Set(
    panels.flatMap((panel) => panel.values.map((own) => own[panel.columns.indexOf(column)]!)),
  );
  const nearest = nearestName(value, [...values]);
  const shown = [...values].sort().slice(0, VALUES_MAX);
  const more = values.size > shown.length ? ` and ${values.size - shown.length} more` : "";
  return {
    field: "where",
    value: text.slice(0, SHOWN_MAX),
    code: "unknown_value",
    ...(nearest !== null && { nearest }),
    message: `No series has the value ${JSON.stringify(value.slice(0, SHOWN_MAX))} of "${column}". Its values are ${listOf(shown)}${more}.`,
  };
}
