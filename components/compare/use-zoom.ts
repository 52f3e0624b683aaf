"use client";

import { useEffect, useRef, useState } from "react";
import { type AxisKind, boundOf } from "#components/chart/axis.ts";
import { fitted, type Span } from "#components/chart/scale.ts";

/** Delay after a gesture before its span is requested and written to the URL. */
const RESTS_MS = 180;

type Bounds = { from: string | null; to: string | null };
type Live = { span: Span; begunAt: string; requested: string | null };

const keyOf = ({ from, to }: Bounds) => `${from}|${to}`;

/**
 * Returns the shown span. During a gesture, the span follows the gesture. After the gesture, the span goes into the URL
 * (`onBounds`). Once its points have arrived (`isWaiting` is false), the points define the span.
 */
export function useZoom({
  kind,
  full,
  bounds,
  isWaiting,
  shortest,
  onBounds,
}: {
  kind: AxisKind;
  /** Full range of the data. */
  full: Span;
  bounds: Bounds;
  isWaiting: boolean;
  /** Minimum length of a span. */
  shortest: number;
  onBounds(bounds: Bounds): void;
}) {
  const [live, setLive] = useState<Live | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const key = keyOf(bounds);
  // Bounds that differ from those at the gesture's start and from the requested ones were set elsewhere, and take
  // precedence. Once the URL has had the requested bounds, a return to those at the start is also set elsewhere.
  if (live !== null && key === live.requested && key !== live.begunAt) setLive({ ...live, begunAt: key });
  const isOurs = live !== null && (key === live.begunAt || key === live.requested);
  const hasArrived = live !== null && key === live.requested && !isWaiting;

  const zoom = (span: Span) => {
    const within = fitted(span, full, shortest);
    const isWhole = within[0] <= full[0] && within[1] >= full[1];
    const next = isWhole
      ? { from: null, to: null }
      : { from: boundOf(kind, within[0]), to: boundOf(kind, within[1]) };
    setLive({ span: within, begunAt: key, requested: null });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setLive({ span: within, begunAt: key, requested: keyOf(next) });
      onBounds(next);
    }, RESTS_MS);
  };
  const reset = () => {
    clearTimeout(timer.current);
    setLive(null);
    onBounds({ from: null, to: null });
  };
  return { span: live !== null && isOurs && !hasArrived ? live.span : null, zoom, reset };
}
