import type { Warning } from "#lib/contract/datasets";
import type { Model } from "#lib/contract/models";

/** What the database keeps of a model to show it; nothing of it is queried. */
export type ModelDetails = Pick<Model, "importance" | "validation" | "leaderboard" | "coverage"> & {
  horizon: number | null;
  frequency: string | null;
  validationRows: number;
  /** Rows of the dataset; absent for a model from outside, and for those made before it was kept. */
  datasetRows?: number | undefined;
  warnings: Warning[];
  /** What the training was asked for. */
  request: Record<string, unknown>;
  /** The same with what was found put in; absent where nothing was searched for. */
  resolvedRequest?: Record<string, unknown>;
};
