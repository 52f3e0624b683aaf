"use client";

import { parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";

export const views = ["value", "difference", "percent", "cumulative", "multiples", "table"] as const;
export type View = (typeof views)[number];

/** The whole state of the compare page lives in its address, so that a copied link shows the same. */
export function useCompareState() {
  return useQueryStates(
    {
      ids: parseAsArrayOf(parseAsString).withDefault([]),
      baselineId: parseAsString,
      from: parseAsString,
      to: parseAsString,
      view: parseAsStringLiteral(views).withDefault("value"),
      bands: parseAsBoolean.withDefault(true),
      /** What was, over what was predicted. */
      actuals: parseAsBoolean.withDefault(true),
      /** The scenario whose difference from the baseline is split. */
      why: parseAsString,
    },
    { history: "replace" },
  );
}

export type CompareState = ReturnType<typeof useCompareState>[0];

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
