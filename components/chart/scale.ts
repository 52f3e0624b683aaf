export type Span = readonly [from: number, to: number];

/** Maps numbers to pixels: x from `left` to `right`, y from `bottom` up to `top`. */
export type Scale = { x: Span; y: Span; left: number; right: number; top: number; bottom: number };

export const toX = ({ x, left, right }: Scale, value: number): number =>
  left + ((value - x[0]) / (x[1] - x[0] || 1)) * (right - left);

export const toY = ({ y, top, bottom }: Scale, value: number): number =>
  bottom - ((value - y[0]) / (y[1] - y[0] || 1)) * (bottom - top);

export const fromX = ({ x, left, right }: Scale, pixel: number): number =>
  x[0] + ((pixel - left) / (right - left || 1)) * (x[1] - x[0]);

/** Moves a span into the full range. Keeps its width if possible and enforces the minimum length. */
export function fitted([from, to]: Span, [first, last]: Span, shortest: number): Span {
  const width = Math.min(last - first, Math.max(to - from, shortest));
  const start = Math.min(Math.max(from - (width - (to - from)) / 2, first), last - width);
  // Returns the exact numbers if the span did not move, to avoid rounding.
  return from >= first && to <= last && width === to - from ? [from, to] : [start, start + width];
}
