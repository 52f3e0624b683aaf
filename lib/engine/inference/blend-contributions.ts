import { type FeatureContributions, settle } from "./contributions.ts";

/**
 * Converts contributions to a logarithm into the target's unit. The change from the base value B to the prediction y is split
 * in proportion to the contributions, so they add up again: each is multiplied by (y − B) / (log y − log B), the logarithmic
 * mean of both (Ang 2004). Example: B = 100 and contributions log 2 and log 3 give y = 600, and 193 + 307.
 */
export function contributionsInUnits(
  { baseValue, values, ...rest }: FeatureContributions,
  toUnits: (logs: Float64Array) => Float64Array,
): FeatureContributions {
  const [base] = toUnits(Float64Array.of(baseValue)) as unknown as [number];
  return {
    ...rest,
    baseValue: base,
    values: values.map((row) => {
      const change = row.reduce((sum, value) => sum + value, 0);
      const [prediction] = toUnits(Float64Array.of(baseValue + change)) as unknown as [number];
      const slope = Math.abs(change) < 1e-9 ? base : (prediction - base) / change;
      return row.map((value) => value * slope);
    }),
  };
}

/** Returns the weighted mean of contributions. Each row adds up to its prediction. */
export function joinContributions(
  explained: readonly { weight: number; contributions: FeatureContributions }[],
  predictions: Float64Array,
): FeatureContributions {
  const keys = explained.map(({ contributions: { features, kinds, details } }) =>
    features.map((feature, at) => JSON.stringify([feature, kinds[at], details[at]])),
  );
  const places = new Map([...new Set(keys.flat())].map((key, place) => [key, place]));
  const baseValue = explained.reduce(
    (sum, { weight, contributions }) => sum + weight * contributions.baseValue,
    0,
  );
  const values = Array.from(predictions, (prediction, row) => {
    const sums = new Float64Array(places.size);
    explained.forEach(({ weight, contributions }, part) => {
      contributions.values[row]!.forEach((value, at) => {
        sums[places.get(keys[part]![at]!)!]! += weight * value;
      });
    });
    return settle(sums, prediction - baseValue);
  });
  const columns = [...places.keys()].map(
    (key) => JSON.parse(key) as [string, FeatureContributions["kinds"][number], string | null],
  );
  return {
    method: explained.some(({ contributions }) => contributions.method === "sampled") ? "sampled" : "exact",
    scale: "prediction",
    baseValue,
    features: columns.map(([feature]) => feature),
    kinds: columns.map(([, kind]) => kind),
    details: columns.map(([, , detail]) => detail),
    values,
  };
}
