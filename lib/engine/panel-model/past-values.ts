import type { Observations } from "#lib/engine/series-methods/combination";

/** Returns readers of the known values among the last steps before an origin. */
export function stepsBefore({ values, firstIndex }: Observations, origin: number, most: number) {
  const end = Math.min(values.length, Math.max(0, origin - firstIndex));
  const over = (window: number) => {
    let [sum, square, size, zeros, count] = [0, 0, 0, 0, 0];
    for (let at = Math.max(0, end - Math.min(window, most)); at < end; at++) {
      const value = values[at]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      square += value * value;
      size += Math.abs(value);
      if (value === 0) zeros++;
      count++;
    }
    return { sum, square, size, zeros, count };
  };
  return {
    at: (steps: number) => (steps <= end ? values[end - steps]! : Number.NaN),
    mean(window: number) {
      const { sum, count } = over(window);
      return sum / count;
    },
    size(window: number) {
      const { size, count } = over(window);
      return count > 0 ? size / count : 0;
    },
    deviation(window: number) {
      const { sum, square, count } = over(window);
      return count > 0 ? Math.sqrt(Math.max(0, square / count - (sum / count) ** 2)) : 0;
    },
    zeros(window: number) {
      const { zeros, count } = over(window);
      return zeros / count;
    },
  };
}
