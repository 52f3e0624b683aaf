import type { Session } from "./session.ts";

export type Model = {
  /** Training data with the target `y`, as CSV in base64. */
  training: string;
  trees: number;
  /** Column of the times, if any. */
  timestamp: string | null;
};

/**
 * Creates a project with a model and a checkpoint. The model predicts each row on its own, from its values and, if it
 * has a time, from the calendar. Returns the path of the project and the id of the checkpoint.
 */
export async function createTrainedProject(session: Session, { training, trees, timestamp }: Model) {
  const { id } = await session.post<{ id: string }>("/projects", { name: "Bench" });
  const at = `/projects/${id}`;
  await session.put(`${at}/dataset`, { fileData: training, target: "y", timestamp });
  const hyperparameters = { rounds: trees, maxLeaves: 31, learningRate: 0.1, earlyStopping: false };
  const features = { lags: [] };
  await session.job(`${at}/models/train`, { algorithm: "gradient_boosting", hyperparameters, features });
  const { checkpointId } = await session.job<{ checkpointId: string }>(`${at}/checkpoints`, {});
  return { at, checkpointId };
}
