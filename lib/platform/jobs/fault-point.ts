import { channel } from "node:diagnostics_channel";
import type { JobType } from "#lib/contract/jobs";
import { environment } from "#lib/platform/config/environment";

/**
 * Fault points of every job, where a test can end or halt the process. Delivered: nothing has started. Completing:
 * before the commit of the last transaction. Completed: after the commit, before pg-boss is notified.
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

/** Longer than the lease of a delivery, shorter than a watchdog permits. */
const blockMs = 15_000;

/** Channel of the points passed in this process, for example `"TrainModel: begun"`. */
export const passedPoints = channel("forkcast:fault-points");

/**
 * Marks a boundary between two steps of a job. Tests name it in `FAULT_POINT` to kill or stop the process, to throw an
 * error, or to block the main loop: for 15 s (`block`), or for ever (`hang`). Otherwise only publishes its name to
 * `passedPoints`.
 */
export function faultPoint({ type, attempt }: { type: JobType; attempt: number }, point: FaultPoint): void {
  const name = `${type}: ${point}`;
  if (passedPoints.hasSubscribers) passedPoints.publish(name);
  const { fault } = environment();
  if (fault === null || fault.point !== name || (attempt > 1 && !fault.always)) return;
  if (fault.act === "throw") throw new Error(`Injected failure at "${name}".`);
  if (fault.act === "kill" || fault.act === "stop") {
    process.kill(process.pid, fault.act === "kill" ? "SIGKILL" : "SIGSTOP");
  } else {
    const ms = fault.act === "block" ? blockMs : Number.POSITIVE_INFINITY;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }
}
