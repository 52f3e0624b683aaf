"use client";

import { memo, useLayoutEffect, useRef } from "react";
import { drawLines } from "./draw-lines.ts";
import type { ChartLines } from "./lines.ts";
import type { Scale, Span } from "./scale.ts";
import { usePaint } from "./use-paint.ts";

/** Draws only the lines, in pixels. Redraws when the data or the scale changes. */
export const LineCanvas = memo(function LineCanvas({
  lines,
  shades,
  scale,
  width,
  height,
}: {
  lines: ChartLines;
  shades: readonly Span[];
  scale: Scale;
  width: number;
  height: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const paint = usePaint();
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const wide = Math.round(width * ratio);
    const high = Math.round(height * ratio);
    // Setting the canvas size, even to the same value, clears its pixels.
    if (element.width !== wide) element.width = wide;
    if (element.height !== high) element.height = high;
    const { x, y, left, right, top, bottom } = scale;
    const inPixels: Scale = {
      x,
      y,
      top: top * ratio,
      bottom: bottom * ratio,
      left: Math.round(left * ratio),
      right: Math.round(right * ratio),
    };
    drawLines(context, lines, inPixels, { ratio, paint, shades });
    element.dataset.lines = String(lines.lines.length);
  }, [lines, shades, scale, width, height, paint]);
  return <canvas ref={canvas} className="absolute inset-0" style={{ width, height }} />;
});
