import type { ExtraFeatures } from "#lib/ml/features/fit-pipeline";
import type { KnownSeries } from "#lib/ml/forecast/known-series";
import type { LinearModel } from "#lib/ml/train/linear-design";
import type { Ensemble } from "#lib/ml/train/tree";
import type { PreparedData } from "./prepare-data.ts";

export type Family = "gradient_boosting" | "ridge";

export const FAMILY_NAMES: Record<Family, string> = {
  gradient_boosting: "Gradient boosting",
  ridge: "Ridge regression",
};

export type Hyperparameters = {
  rounds?: number | undefined;
  maxLeaves?: number | undefined;
  learningRate?: number | undefined;
  minLeaf?: number | undefined;
  l2?: number | undefined;
  subsample?: number | undefined;
  colsample?: number | undefined;
  earlyStopping?: boolean | undefined;
  alpha?: number | undefined;
};

export type Learner = Ensemble | LinearModel;

export type CandidateContext = {
  data: PreparedData;
  known: KnownSeries | null;
  timestamp: string | null;
  target: string;
  timezone: string;
  upstream: { feature: string; sourceProjectId: string }[];
  missing: ReadonlySet<string>;
  calendar: boolean;
  extra: ExtraFeatures;
  hyperparameters: Hyperparameters;
  seed: number;
  shouldStop: () => boolean;
};
