import {
  createLoader,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { comparePath } from "#components/api/queries.ts";
import { limits } from "#lib/contract/limits";

export const views = ["value", "difference", "percent", "cumulative", "multiples", "table"] as const;
export type View = (typeof views)[number];

/** The whole state of the compare page, as it stands in its address. */
export const compareParsers = {
  ids: parseAsArrayOf(parseAsString).withDefault([]),
  baselineId: parseAsString,
  from: parseAsString,
  to: parseAsString,
  view: parseAsStringLiteral(views).withDefault("value"),
  bands: parseAsBoolean.withDefault(true),
  /** What was, over what was predicted. */
  actuals: parseAsBoolean.withDefault(true),
  /** Series whose lines are not drawn: scenarios, and what was. */
  hidden: parseAsArrayOf(parseAsString).withDefault([]),
  /** The scenario whose difference from the baseline is split. */
  why: parseAsString,
};

export type CompareState = inferParserType<typeof compareParsers>;

/** As many points as a wide chart has pixels to show them; zooming asks for finer ones. */
export const chartPoints = 1_000;

const loadState = createLoader(compareParsers);

/**
 * What the page asks first, as a path after `/api/v1`; null where its address names nothing that can be compared. The
 * server names it in the page's head, so that it is asked for before the scripts are there.
 */
export async function firstQuestion(
  projectId: string,
  search: Promise<Record<string, string | string[] | undefined>>,
): Promise<string | null> {
  const state = namedOnce(await loadState(search));
  return isComparable(state) ? comparePath(projectId, compareQuery(state, { maxPoints: chartPoints })) : null;
}

/** A link that names a scenario twice means it once. */
export const namedOnce = (state: CompareState): CompareState => ({ ...state, ids: [...new Set(state.ids)] });

export const isComparable = ({ ids }: CompareState) =>
  ids.length >= limits.compareMin && ids.length <= limits.compareMax;

/** The query of what one scenario's difference is made of, over the shown span. */
export function differenceQuery(state: CompareState, baselineId: string, maxPoints: number): string {
  const query = new URLSearchParams({ baselineId, maxPoints: String(maxPoints) });
  if (state.from) query.set("from", state.from);
  if (state.to) query.set("to", state.to);
  return query.toString();
}

/** The query of the compare endpoint over the shown span, with what else is asked of it. */
export function compareQuery(state: CompareState, rest: Record<string, number> = {}): string {
  const query = new URLSearchParams({ ids: state.ids.join(",") });
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
  if (state.baselineId) query.set("baselineId", state.baselineId);
  if (state.from) query.set("from", state.from);
  if (state.to) query.set("to", state.to);
  return query.toString();
}
