import type { ChartAxis } from "#components/chart/axis.ts";
import { zoneOf } from "#components/chart/axis.ts";
import type { SpanTexts } from "#components/form/span-inputs.tsx";
import { endOfDay, localDay, startOfDay } from "#components/time/local-day.ts";
import type { CompareState } from "./compare-query.ts";

type Bounds = Pick<CompareState, "from" | "to">;
type Axis = Pick<ChartAxis, "kind" | "period">;

/** Returns the text of a field for a place of the axis: its day in the zone of the axis, or its row. */
export function textOf(place: number, axis: Axis): string {
  if (axis.kind === "row") return String(place);
  return localDay(place, zoneOf(axis));
}

/** Returns the bounds of the URL as the texts of their fields; empty without a bound. */
export function textsOf({ from, to }: Bounds, axis: Axis): SpanTexts {
  const text = (bound: string | null) => {
    if (bound === null) return "";
    const place = axis.kind === "row" ? Number(bound) : Date.parse(bound);
    return Number.isNaN(place) ? "" : textOf(place, axis);
  };
  return { from: text(from), to: text(to) };
}

/** Returns the bounds of changed fields. The last day counts as a whole. */
export function boundsOf({ from, to }: Partial<SpanTexts>, axis: Axis): Partial<Bounds> {
  const bound = (text: string, ofDay: typeof endOfDay) =>
    text === "" ? null : axis.kind === "row" ? text : ofDay(text, zoneOf(axis));
  return {
    ...(from !== undefined && { from: bound(from, startOfDay) }),
    ...(to !== undefined && { to: bound(to, endOfDay) }),
  };
}
