import { channel } from "node:diagnostics_channel";
import type { JobType } from "#lib/contract/jobs";
import { environment } from "#lib/platform/config/environment";

/**
 * Boundaries of each job's steps, where a test can end or halt the process. Delivered: nothing has begun. Completing: the
 * last transaction has yet to commit. Completed: it has, and pg-boss has yet to be told.
 */
const ofEveryJob = ["delivered", "begun", "completing", "completed"] as const;

export const faultPoints = {
  CreateCheckpoint: [...ofEveryJob, "file tried", "artifacts written"],
  CreateScenario: [
    ...ofEveryJob,
    "artifacts written",
    "checkpoints published",
    "input made",
    "predicted",
    "input written",
    "predictions stored",
    "result committed",
  ],
  DeleteCheckpoint: [...ofEveryJob, "rows removed"],
  DeleteProject: [...ofEveryJob, "rows removed"],
  DeleteScenario: [...ofEveryJob, "rows removed"],
  ImportModel: [...ofEveryJob, "model tried", "model measured", "artifacts written", "model stored"],
  TrainModel: [...ofEveryJob, "data read", "trained", "artifacts written", "model stored"],
} as const satisfies Record<JobType, readonly string[]>;

export type FaultPoint = (typeof faultPoints)[JobType][number];

/** Tells who listens in this process which points are passed: `"TrainModel: begun"`. */
export const passedPoints = channel("forkcast:fault-points");

/**
 * A boundary between two steps of a job. Nothing happens there unless `FAULT_POINT` names it, which is for tests: the
 * process is killed or stopped, or an error is thrown.
 */
export function faultPoint({ type, attempt }: { type: JobType; attempt: number }, point: FaultPoint): void {
  const name = `${type}: ${point}`;
  if (passedPoints.hasSubscribers) passedPoints.publish(name);
  const { fault } = environment();
  if (fault === null || fault.point !== name || (attempt > 1 && !fault.always)) return;
  if (fault.act === "throw") throw new Error(`A fault was asked for at "${name}".`);
  process.kill(process.pid, fault.act === "kill" ? "SIGKILL" : "SIGSTOP");
}
