type Kind = "inputs" | "naive" | "series" | "constant";

type Algorithm = {
  /** Name of its models. */
  label: string;
  /** Name in the training form, if it differs from the label. */
  choice?: string;
  /** Name of its models of two classes. Absent if it predicts only numbers. */
  classLabel?: string;
  /** `inputs` works without a series, `naive` and `series` require one, and the training form does not offer `constant`. */
  kind: Kind;
  /** Predicate of the sentence in the API reference whose subject is the algorithm. */
  description: string;
};

const entries = {
  gradient_boosting: {
    label: "Gradient boosting",
    classLabel: "Gradient boosting",
    kind: "inputs",
    description: "adds up many small regression trees",
  },
  ridge: {
    label: "Ridge regression",
    classLabel: "Logistic regression",
    kind: "inputs",
    description: "is linear with an L2 penalty, and logistic for two classes",
  },
  elastic_net: { label: "Elastic net", kind: "inputs", description: "is linear with L1 and L2 penalties" },
  blend: {
    label: "Blend",
    choice: "Blend of models that use the inputs",
    kind: "inputs",
    description:
      "is the weighted mean of models that use the inputs; `auto` trains it for a target of numbers with inputs",
  },
  seasonal_naive: { label: "Seasonal naive", kind: "naive", description: "repeats the last season or value" },
  drift: {
    label: "Drift",
    kind: "naive",
    description: "repeats the last season or value, plus half of the mean growth",
  },
  combination: {
    label: "Combination",
    choice: "Combination of series methods",
    kind: "series",
    description:
      "is the median of the forecasts of all series methods that fit; without inputs, of the series without its seasons",
  },
  ets: {
    label: "Exponential smoothing",
    choice: "Exponential smoothing (ETS)",
    kind: "series",
    description: "is exponential smoothing",
  },
  theta: { label: "Theta", kind: "series", description: "is the Theta method" },
  arima: { label: "ARIMA", kind: "series", description: "is seasonal ARIMA" },
  stl_ets: { label: "STL and exponential smoothing", kind: "series", description: "is `ets` after STL" },
  tsb: {
    label: "Intermittent demand (TSB)",
    kind: "series",
    description: "is for demand with many zeros, and ignores inputs",
  },
  mean: { label: "Mean", classLabel: "Base rate", kind: "constant", description: "predicts the mean" },
} satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof entries;

/**
 * Algorithms that training accepts by name, in the order of the API reference and the training form. Without zod, because
 * the worker of live previews reads them.
 */
export const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = entries;

/** Returns the names of the algorithms of the given kinds; by default of all. */
export function algorithmNames(...kinds: Kind[]): AlgorithmName[] {
  const names = Object.keys(algorithms) as AlgorithmName[];
  return names.filter((name) => kinds.length === 0 || kinds.includes(algorithms[name].kind));
}

/** Lists names for the API reference: "`ets`, `theta` and `arima`". */
export const listNames = (names: readonly string[], type: "conjunction" | "disjunction" = "conjunction") =>
  new Intl.ListFormat("en-GB", { type }).format(names.map((name) => `\`${name}\``));
