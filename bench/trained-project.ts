import type { TrainModel } from "#lib/contract/train-model";
import type { Session } from "../e2e/session.ts";

export type Model = {
  /** Training data with the target `y`, as CSV in base64. */
  training: string;
  /** Column of the times, if any. */
  timestamp: string | null;
  /** Body of the request to train. */
  request: object;
};

/** Creates a project with a model and a checkpoint. `at` is the path of the project. */
export async function createTrainedProject(session: Session, { training, timestamp, request }: Model) {
  const { id: projectId } = await session.post<{ id: string }>("/projects", { name: "Bench" });
  const at = `/projects/${projectId}`;
  await session.put(`${at}/dataset`, { fileData: training, target: "y", timestamp });
  await session.job(`${at}/models/train`, request);
  const { checkpointId } = await session.job<{ checkpointId: string }>(`${at}/checkpoints`, {});
  return { projectId, at, checkpointId };
}

/** Requests trees that predict each row on its own, from its values and, if it has a time, from the calendar. */
export const requestOfTrees = (trees: number): TrainModel => ({
  algorithm: "gradient_boosting",
  hyperparameters: { rounds: trees, maxLeaves: 31, learningRate: 0.1, earlyStopping: false },
  features: { lags: [] },
});
