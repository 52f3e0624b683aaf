"use client";

import { useState } from "react";
import type { ChartAxis } from "./axis.ts";
import { fitted, type Span } from "./scale.ts";

/** Shown span of a chart, and the gestures that change it. */
export type ShownSpan = { span: Span; isZoomed: boolean; onSpan(span: Span): void; onReset(): void };

const empty: Pick<ChartAxis, "xs" | "domain"> = { xs: new Float64Array(0), domain: [0, 1] };

/**
 * Keeps the shown span of a chart whose points are all loaded: the full range until a gesture changes it.
 *
 * @param axis axis of the chart; undefined before its points are loaded
 */
export function useSpan(axis: Pick<ChartAxis, "xs" | "domain"> | undefined): ShownSpan {
  const { xs, domain } = axis ?? empty;
  const [chosen, setChosen] = useState<Span | null>(null);
  const [first, last] = domain;
  const shortest = (2 * (last - first)) / Math.max(2, xs.length);
  const span = chosen === null ? domain : fitted(chosen, domain, shortest);
  return {
    span,
    isZoomed: span[0] > first || span[1] < last,
    onSpan: setChosen,
    onReset: () => setChosen(null),
  };
}
