"use client";

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { fromX, type Scale, type Span } from "./scale.tsx";

export type Gestures = {
  /** What is shown is to be another stretch. */
  onSpan?: ((span: Span) => void) | undefined;
  onReset?: (() => void) | undefined;
  /** The pointer is at this pixel; null where it has left. */
  onPoint(pixel: number | null): void;
};

const WHEEL_FACTOR = 0.0022;
const SHORTEST_DRAG = 4;

/**
 * What pointers and the wheel do in a chart. Dragging chooses a stretch, with Shift it pushes the picture, two fingers
 * pinch it; the wheel zooms once the chart has the focus or with Ctrl, so that a page can be scrolled past it, and
 * sideways it pans. Shorter than a few pixels, a drag is a click and chooses nothing.
 */
export function useGestures(scale: Scale, { onSpan, onReset, onPoint }: Gestures) {
  const [selection, setSelection] = useState<Span | null>(null);
  const fingers = useRef(new Map<number, number>());
  const latest = useRef({ scale, onSpan });
  latest.current = { scale, onSpan };

  // React listens to the wheel passively; what zooms must not scroll too.
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      const { scale, onSpan } = latest.current;
      if (!onSpan) return;
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        onSpan(panned(scale, sideways));
      } else if (event.ctrlKey || event.metaKey || document.activeElement === element) {
        event.preventDefault();
        const at = event.clientX - element.getBoundingClientRect().left;
        onSpan(zoomed(scale, fromX(scale, at), Math.exp(event.deltaY * WHEEL_FACTOR)));
      }
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [element]);

  const place = (event: PointerEvent<HTMLElement>) =>
    Math.min(
      scale.right,
      Math.max(scale.left, event.clientX - event.currentTarget.getBoundingClientRect().left),
    );
  const release = (event: PointerEvent<HTMLElement>) => {
    fingers.current.delete(event.pointerId);
    if (selection && Math.abs(selection[1] - selection[0]) >= SHORTEST_DRAG) {
      const ends = [fromX(scale, Math.min(...selection)), fromX(scale, Math.max(...selection))] as const;
      onSpan?.(ends);
    }
    setSelection(null);
  };
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      fingers.current.set(event.pointerId, place(event));
      onPoint(place(event));
      if (!onSpan) return;
      if (event.pointerType !== "touch") event.currentTarget.setPointerCapture(event.pointerId);
      if (event.pointerType === "mouse" && !event.shiftKey) setSelection([place(event), place(event)]);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const at = place(event);
      const before = fingers.current.get(event.pointerId);
      onPoint(at);
      if (before === undefined) return;
      const others = [...fingers.current].filter(([id]) => id !== event.pointerId);
      fingers.current.set(event.pointerId, at);
      if (selection) setSelection([selection[0], at]);
      else if (others[0]) onSpan?.(pinched(scale, others[0][1], before, at));
      else if (event.pointerType === "mouse") onSpan?.(panned(scale, before - at));
    },
    onPointerUp: release,
    onPointerCancel: release,
    onPointerLeave(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === "mouse") onPoint(null);
    },
    onDoubleClick: () => onReset?.(),
  };
  return { ref: setElement, selection, handlers };
}

/** The keys that zoom and pan about a place; whether the key was one of them. */
export function zoomKey(event: KeyboardEvent, scale: Scale, about: number, gestures: Gestures): boolean {
  const { onSpan, onReset } = gestures;
  if (!onSpan) return false;
  const width = scale.right - scale.left;
  if (event.key === "+" || event.key === "=") onSpan(zoomed(scale, about, 0.6));
  else if (event.key === "-" || event.key === "_") onSpan(zoomed(scale, about, 1 / 0.6));
  else if (event.key === "PageUp") onSpan(panned(scale, -width / 2));
  else if (event.key === "PageDown") onSpan(panned(scale, width / 2));
  else if (event.key === "0") onReset?.();
  else return false;
  return true;
}

export function zoomed({ x: [from, to] }: Scale, about: number, factor: number): Span {
  return [about - (about - from) * factor, about + (to - about) * factor];
}

export function panned({ x: [from, to], left, right }: Scale, pixels: number): Span {
  const by = (pixels / (right - left || 1)) * (to - from);
  return [from + by, to + by];
}

/** One finger stays and the other moves: what lies under both keeps lying under them. */
function pinched(scale: Scale, still: number, before: number, after: number): Span {
  const factor = Math.abs(before - still) / Math.max(1, Math.abs(after - still));
  return zoomed(scale, fromX(scale, still), Math.min(2, Math.max(0.5, factor)));
}
