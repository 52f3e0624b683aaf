import { removeCheckpoint } from "#lib/domain/checkpoints/remove-checkpoint";
import type { JobHandler } from "../job-handler.ts";

export const deleteCheckpoint: JobHandler<"DeleteCheckpoint"> = {
  run: (run, { checkpointId }) => removeCheckpoint(run, checkpointId),
};
