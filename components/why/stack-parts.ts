import type { PreparedWhy } from "./prepare-why.ts";

/** Lower and upper bound of each part at each point. */
type Stack = { lower: Float64Array; upper: Float64Array };

/** Stacks the contributions at each point: positive ones upwards from zero, negative ones downwards. */
export function stackParts({ xs, steps }: Pick<PreparedWhy, "xs" | "steps">): {
  stacks: Stack[];
  extent: [low: number, high: number];
} {
  const low = new Float64Array(xs.length);
  const high = new Float64Array(xs.length);
  const stacks = steps.map(({ values }): Stack => {
    const stack = { lower: new Float64Array(xs.length), upper: new Float64Array(xs.length) };
    values.forEach((value, at) => {
      const end = value < 0 ? low : high;
      const bounds = [end[at]!, end[at]! + value] as const;
      end[at] = bounds[1];
      stack.lower[at] = Math.min(...bounds);
      stack.upper[at] = Math.max(...bounds);
    });
    return stack;
  });
  return { stacks, extent: [Math.min(0, ...low), Math.max(0, ...high)] };
}

/**
 * Returns the outline of a part as an SVG path of steps, because sloping lines would cross where a contribution changes
 * its sign. Each point extends to the middle between it and its neighbours.
 *
 * @param edges places of the ends of the points, one more than points
 */
export function stepPath(
  { lower, upper }: Stack,
  edges: Float64Array,
  toX: (x: number) => number,
  toY: (y: number) => number,
): string {
  const corner = (x: number, y: number) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`;
  const above: string[] = [];
  const below: string[] = [];
  upper.forEach((top, at) => {
    above.push(corner(edges[at]!, top), corner(edges[at + 1]!, top));
    below.push(corner(edges[at]!, lower[at]!), corner(edges[at + 1]!, lower[at]!));
  });
  return `M${above.join("L")}L${below.reverse().join("L")}Z`;
}

/** Returns the ends of the points: the middles between them, and the ends of the domain. */
export function edgesOf({ xs, domain }: Pick<PreparedWhy, "xs" | "domain">): Float64Array {
  const edges = new Float64Array(xs.length + 1);
  edges.forEach((_, at) => {
    edges[at] = at === 0 ? domain[0] : at === xs.length ? domain[1] : (xs[at - 1]! + xs[at]!) / 2;
  });
  return edges;
}
