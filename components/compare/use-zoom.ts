"use client";

import { useEffect, useRef, useState } from "react";
import { type AxisKind, boundOf } from "#components/chart/axis.ts";
import type { Span } from "#components/chart/scale.ts";

/** How long a gesture has to rest before its stretch is asked for and stands in the address. */
const RESTS_MS = 180;

type Bounds = { from: string | null; to: string | null };
type Live = { span: Span; begunAt: string; asked: string | null };

const keyOf = ({ from, to }: Bounds) => `${from}|${to}`;

/**
 * The stretch that is shown. While a gesture goes on, it is the gesture's; when that rests, it goes into the address
 * (`onBounds`), and once the points for it are there (`isWaiting` no longer), the stretch is the points' own.
 */
export function useZoom({
  kind,
  whole,
  bounds,
  isWaiting,
  shortest,
  onBounds,
}: {
  kind: AxisKind;
  /** All that there is. */
  whole: Span;
  bounds: Bounds;
  isWaiting: boolean;
  /** No stretch is shorter than this. */
  shortest: number;
  onBounds(bounds: Bounds): void;
}) {
  const [live, setLive] = useState<Live | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const key = keyOf(bounds);
  // Bounds that are neither those at the gesture's begin nor those that it asked for came from elsewhere, and win.
  const isOurs = live !== null && (key === live.begunAt || key === live.asked);
  const hasArrived = live !== null && key === live.asked && !isWaiting;

  const zoom = (span: Span) => {
    const within = fitted(span, whole, shortest);
    const isWhole = within[0] <= whole[0] && within[1] >= whole[1];
    const next = isWhole
      ? { from: null, to: null }
      : { from: boundOf(kind, within[0]), to: boundOf(kind, within[1]) };
    setLive({ span: within, begunAt: key, asked: null });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setLive({ span: within, begunAt: key, asked: keyOf(next) });
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

/** A stretch inside of the whole, of its own width where it has room, and not too short. */
export function fitted([from, to]: Span, [first, last]: Span, shortest: number): Span {
  const width = Math.min(last - first, Math.max(to - from, shortest));
  const start = Math.min(Math.max(from - (width - (to - from)) / 2, first), last - width);
  // Where nothing had to move, the very numbers, and no rounding of their difference.
  return from >= first && to <= last && width === to - from ? [from, to] : [start, start + width];
}
