"use client";

import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { fromX, type Scale, type Span } from "./scale.ts";
import { useFrame } from "./use-frame.ts";

type Gestures = {
  /** Called to change the shown span. */
  onSpan?: ((span: Span) => void) | undefined;
  onReset?: (() => void) | undefined;
  /** Pointer position in pixels; null after the pointer has left. */
  onPoint(pixel: number | null): void;
};

const WHEEL_FACTOR = 0.0022;
const SHORTEST_DRAG = 4;

/**
 * Handles pointers and the wheel in a chart. Dragging selects a span; with Shift, dragging pans. Two fingers pinch. The
 * wheel zooms if the chart has the focus or with Ctrl, so that the page can scroll past it; sideways wheel movement
 * pans. A drag shorter than a few pixels counts as a click and selects nothing.
 */
export function useGestures(scale: Scale, { onSpan, onReset, onPoint }: Gestures) {
  const [selection, setSelection] = useState<Span | null>(null);
  const fingers = useRef(new Map<number, number>());
  const input = useFrame<{ span?: Span; pixel?: number | null; selection?: Span | null }>((change) => {
    if (change.selection !== undefined) setSelection(change.selection);
    if (change.pixel !== undefined) onPoint(change.pixel);
    if (change.span) onSpan?.(change.span);
  });
  /** Scale after all pending input is drawn. */
  const ahead = (): Scale => ({ ...scale, x: input.pending()?.span ?? scale.x });
  const selectionAhead = () => {
    const { selection: ahead = selection } = input.pending() ?? {};
    return ahead;
  };
  const canZoom = onSpan !== undefined;

  // React's wheel listeners are passive, but zooming must prevent scrolling.
  const [element, setElement] = useState<HTMLElement | null>(null);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!canZoom || !element) return;
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      input.add({ span: panned(ahead(), sideways) });
    } else if (event.ctrlKey || event.metaKey || document.activeElement === element) {
      event.preventDefault();
      const at = event.clientX - element.getBoundingClientRect().left;
      const scale = ahead();
      input.add({ span: zoomed(scale, fromX(scale, at), Math.exp(event.deltaY * WHEEL_FACTOR)) });
    }
  });
  useEffect(() => {
    if (!element) return;
    const wheel = (event: WheelEvent) => onWheel(event);
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
    const chosen = selectionAhead();
    input.add({ selection: null });
    if (chosen && Math.abs(chosen[1] - chosen[0]) >= SHORTEST_DRAG) {
      input.add({ span: [fromX(scale, Math.min(...chosen)), fromX(scale, Math.max(...chosen))] });
    }
  };
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      fingers.current.set(event.pointerId, place(event));
      input.add({ pixel: place(event) });
      if (!canZoom) return;
      if (event.pointerType !== "touch") event.currentTarget.setPointerCapture(event.pointerId);
      if (event.pointerType === "mouse" && !event.shiftKey) {
        input.add({ selection: [place(event), place(event)] });
      }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const at = place(event);
      const before = fingers.current.get(event.pointerId);
      input.add({ pixel: at });
      if (before === undefined) return;
      const others = [...fingers.current].filter(([id]) => id !== event.pointerId);
      fingers.current.set(event.pointerId, at);
      const chosen = selectionAhead();
      if (chosen) input.add({ selection: [chosen[0], at] });
      else if (others[0]) input.add({ span: pinched(ahead(), others[0][1], before, at) });
      else if (event.pointerType === "mouse") input.add({ span: panned(ahead(), before - at) });
    },
    onPointerUp: release,
    onPointerCancel: release,
    onPointerLeave(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === "mouse") input.add({ pixel: null });
    },
    onDoubleClick: () => onReset?.(),
  };
  return { ref: setElement, selection, handlers };
}

/** Returns whether a key belongs to the browser: Ctrl and + zooms the page, Alt and an arrow goes back. */
export const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey;

/** Handles zoom and pan keys around a position. Returns whether the key was handled. */
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

function zoomed({ x: [from, to] }: Scale, about: number, factor: number): Span {
  return [about - (about - from) * factor, about + (to - about) * factor];
}

function panned({ x: [from, to], left, right }: Scale, pixels: number): Span {
  const by = (pixels / (right - left || 1)) * (to - from);
  return [from + by, to + by];
}

/** Computes the span for a pinch: the points under both fingers stay under them. */
function pinched(scale: Scale, still: number, before: number, after: number): Span {
  const factor = Math.abs(before - still) / Math.max(1, Math.abs(after - still));
  return zoomed(scale, fromX(scale, still), Math.min(2, Math.max(0.5, factor)));
}
