import {
  createLoader,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { comparePath } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import { bucketParams, bucketParsers } from "#components/chart/bucket-state.ts";
import { fanLevels } from "#components/chart/columns.ts";
import { BANDS_MAX } from "#components/chart/lines.ts";
import { pastParser } from "#components/chart/past-state.ts";
import { panelParsers } from "#components/panel/panel-state.ts";
import { ROWS_AT_ONCE } from "#components/why/sizes.ts";
import { limits } from "#lib/contract/limits";
import type { Comparison } from "#lib/contract/scenario-series";

export const views = ["value", "difference", "percent", "cumulative", "multiples", "table"] as const;
export type View = (typeof views)[number];

/** State of the compare page in its URL. */
export const compareParsers = {
  ids: parseAsArrayOf(parseAsString).withDefault([]),
  baselineId: parseAsString,
  from: parseAsString,
  to: parseAsString,
  ...bucketParsers,
  view: parseAsStringLiteral(views).withDefault("value"),
  bands: parseAsBoolean.withDefault(true),
  /** Whether to show actuals over the predictions. */
  actuals: parseAsBoolean.withDefault(true),
  /** Whether to show known values before the predictions. */
  past: pastParser,
  /** IDs of hidden series: scenarios and the actuals. */
  hidden: parseAsArrayOf(parseAsString).withDefault([]),
  /** ID of the scenario whose difference from the baseline is explained. */
  why: parseAsString,
  ...panelParsers,
};

export type CompareState = inferParserType<typeof compareParsers>;
type Span = Pick<CompareState, "from" | "to">;

/** Number of points that fill a wide chart; zooming requests finer points. */
const chartPoints = 1_000;

const loadState = createLoader(compareParsers);

/**
 * Returns the page's first request as a path after `/api/v1`, or null if its URL has no valid comparison. The server
 * adds a preload for this path to the page's head, so that the request starts before the scripts load.
 */
export async function firstRequestPath(
  projectId: string,
  search: Promise<Record<string, string | string[] | undefined>>,
): Promise<string | null> {
  const state = namedOnce(await loadState(search));
  return isComparable(state) ? comparePath(projectId, chartQuery(state)) : null;
}

/** Removes duplicate scenarios of a link. */
export const namedOnce = (state: CompareState): CompareState => ({ ...state, ids: [...new Set(state.ids)] });

export const isComparable = ({ ids }: CompareState) =>
  ids.length >= limits.compareMin && ids.length <= limits.compareMax;

/** Returns whether the page splits a scenario's difference at once, without a click. */
export const isSplitAtOnce = (state: CompareState, id: string, rowCount: number) =>
  id === state.why || rowCount <= ROWS_AT_ONCE;

/** Returns the span whose differences are explained. A zoomed one extends to whole buckets, as in the totals. */
export const explainedSpan = (state: Span, { buckets }: Pick<Comparison, "buckets">): Span =>
  (state.from ?? state.to) !== null && buckets ? buckets : state;

/** Returns the query for the parts of one scenario's difference over a span. */
export const differenceQuery = (
  { from, to }: Span,
  baselineId: string,
  rest: { maxPoints: number; where: readonly string[]; by?: string | null; limit?: number | null },
): string => queryOf({ baselineId, from, to, ...rest });

/** Returns the query of the charts over the shown span. Few scenarios have room for bands at several levels. */
export function chartQuery(state: CompareState): string {
  const levels = state.ids.length <= BANDS_MAX ? { levels: fanLevels } : {};
  return compareQuery(state, { maxPoints: chartPoints, ...levels });
}

/** Returns the query of the compare endpoint over the shown span, by row or aggregated, with additional parameters. */
export function compareQuery(state: CompareState, rest: Record<string, number | string> = {}): string {
  const { ids, baselineId, from, to, where } = state;
  return queryOf({ ids: ids.join(","), ...rest, ...bucketParams(state), baselineId, from, to, where });
}

/** Returns the points of previews: the buckets of the comparison, or all rows, which include the drawn ones. */
export const previewPoints = ({ buckets }: Pick<Comparison, "buckets">) =>
  buckets ? { bucket: buckets.unit, aggregate: buckets.aggregate } : {};
