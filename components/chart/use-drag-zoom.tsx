"use client";

import { useState } from "react";

type Pointer = { activeLabel?: string | number | undefined };

/** Dragging across the chart selects a span of the axis; shorter than one step is a click and selects nothing. */
export function useDragZoom(onZoom: ((from: number, to: number) => void) | undefined) {
  const [start, setStart] = useState<number | null>(null);
  const [end, setEnd] = useState<number | null>(null);
  const at = (pointer: Pointer) => (pointer.activeLabel === undefined ? null : Number(pointer.activeLabel));
  const release = () => {
    if (start !== null && end !== null && start !== end) onZoom?.(Math.min(start, end), Math.max(start, end));
    setStart(null);
    setEnd(null);
  };
  return {
    selection: start !== null && end !== null ? ([start, end] as const) : null,
    handlers: {
      onMouseDown: (pointer: Pointer) => setStart(at(pointer)),
      onMouseMove: (pointer: Pointer) => start !== null && setEnd(at(pointer)),
      onMouseUp: release,
      onMouseLeave: release,
    },
  };
}
