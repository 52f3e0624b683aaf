"use client";

import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import { pointLabel } from "./axis.ts";
import { margins } from "./comparison-chart.tsx";
import { LineCanvas } from "./line-canvas.tsx";
import { extent, prepareLines } from "./lines.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { fromX, type Scale, type Span, toX } from "./scale.ts";
import { useFrame } from "./use-frame.ts";
import { isShortcut } from "./use-gestures.ts";
import { useWidth } from "./use-size.ts";

const height = 44;
const HANDLE = 12;
/** Fraction of the full range that each key press moves. */
const KEY_STEP = 0.02;
const none: readonly Span[] = [];

/**
 * Shows the full range as a small chart with two handles for the shown span. The handles move by dragging and by keys.
 */
export function RangeBrush({
  overview,
  span,
  onSpan,
}: {
  overview: PreparedComparison;
  span: Span;
  onSpan(span: Span): void;
}) {
  const { ref, width } = useWidth();
  const dragged = useRef<number | null>(null);
  const input = useFrame<{ span: Span }>((change) => onSpan(change.span));
  const { domain } = overview;
  const [from, to] = span;
  const { lines, scale } = useMemo(() => {
    const lines = prepareLines(overview, "value", false);
    const thin = lines.lines.map((line) => ({ ...line, width: 1, dash: [], marker: -1 }));
    const scale: Scale = {
      x: domain,
      y: extent(lines, "value", domain),
      left: margins.left,
      top: 4,
      bottom: height - 4,
      right: Math.max(margins.left, width - margins.right),
    };
    return { lines: { ...lines, lines: thin }, scale };
  }, [overview, domain, width]);
  const place = (value: number) => toX(scale, Math.min(domain[1], Math.max(domain[0], value)));

  const drag = (move: (by: number, span: Span) => Span) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      dragged.current = event.clientX;
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (dragged.current === null) return;
      const by = fromX(scale, event.clientX) - fromX(scale, dragged.current);
      dragged.current = event.clientX;
      input.add({ span: move(by, input.pending()?.span ?? span) });
    },
    onPointerUp: () => {
      dragged.current = null;
    },
    onPointerCancel: () => {
      dragged.current = null;
    },
    onKeyDown(event: KeyboardEvent) {
      const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (direction === undefined || isShortcut(event)) return;
      event.preventDefault();
      onSpan(move(direction * KEY_STEP * (domain[1] - domain[0]), span));
    },
  });
  const ends = [
    {
      name: "First shown",
      value: from,
      move: (by: number, [from, to]: Span): Span => [Math.max(domain[0], Math.min(from + by, to)), to],
    },
    {
      name: "Last shown",
      value: to,
      move: (by: number, [from, to]: Span): Span => [from, Math.min(domain[1], Math.max(to + by, from))],
    },
  ];
  return (
    <div ref={ref} className="relative select-none" style={{ height }}>
      {width > 0 && (
        <>
          <div
            className="absolute inset-y-0 rounded-sm border bg-sunken"
            style={{ left: scale.left, width: scale.right - scale.left }}
          />
          <LineCanvas lines={lines} shades={none} scale={scale} width={width} height={height} />
          <div
            {...drag((by, [from, to]) => [from + by, to + by])}
            className="absolute inset-y-0 cursor-grab touch-none border-x border-accent bg-accent/12 active:cursor-grabbing"
            style={{ left: place(from), width: place(to) - place(from) }}
          />
          {ends.map(({ name, value, move }) => (
            <div
              key={name}
              role="slider"
              tabIndex={0}
              aria-label={name}
              aria-valuemin={domain[0]}
              aria-valuemax={domain[1]}
              aria-valuenow={value}
              aria-valuetext={pointLabel(overview, Math.round(value))}
              {...drag(move)}
              className="absolute inset-y-1.5 cursor-ew-resize touch-none rounded-sm border border-accent bg-surface"
              style={{ left: place(value) - HANDLE / 2, width: HANDLE }}
            />
          ))}
        </>
      )}
    </div>
  );
}
