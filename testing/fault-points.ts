import { channel } from "node:diagnostics_channel";
import type { JobType } from "#lib/contract/jobs";

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

/** A statement of the service, and the fault point before it. `job`: the expression of the job, by default `run.job`. */
type Place = { before: string; point: FaultPoint; job?: string };

const places: Record<string, Place[]> = {
  "server/worker/run-job.ts": [
    {
      before: "const work = (await isSuspect(db, stored))",
      point: "delivered",
      job: "{ type: stored.type, attempt: stored.attempt + 1 }",
    },
  ],
  "server/worker/run-handler.ts": [
    { before: "const handler = await handlerOf(job.type);", point: "begun", job: "job" },
    { before: "}\n\nasync function requireCompletion(", point: "completed", job: "job" },
  ],
  "lib/platform/jobs/job-run.ts": [{ before: "},\n  };\n}", point: "completing", job: "job" }],
  "lib/domain/checkpoints/publish-reserved-checkpoints.ts": [
    { before: "}\n    const changed = [", point: "artifacts written" },
  ],
  "lib/domain/checkpoints/remove-checkpoint.ts": [
    { before: "await publishEvent(tx, {", point: "rows removed" },
  ],
  "lib/domain/checkpoints/restore-checkpoint.ts": [{ before: "await run.report(70,", point: "file tried" }],
  "lib/domain/models/import-model.ts": [
    { before: "await run.report(60,", point: "model tried" },
    { before: "await run.report(90,", point: "model measured" },
  ],
  "lib/domain/models/save-model.ts": [
    { before: "await announceServingChange(run.ctx.db,", point: "artifacts written" },
    { before: "const message = completionMessage(", point: "model stored" },
  ],
  "lib/domain/models/train-model.ts": [
    { before: "const from = data.input.upstream.length > 0", point: "data read" },
    { before: "report(FITTED_AT, {", point: "trained" },
  ],
  "lib/domain/projects/remove-project.ts": [{ before: "await run.complete(tx,", point: "rows removed" }],
  "lib/domain/scenarios/remove-scenario.ts": [{ before: "await run.complete(tx)", point: "rows removed" }],
  "lib/domain/scenarios/compute-scenario.ts": [
    { before: "}\n    await predictAndStore(run,", point: "checkpoints published" },
    { before: "}\n\nasync function predictAndStore(", point: "result committed" },
    { before: "const { rowCount: total } = input;", point: "input made" },
    { before: "await run.report(90,", point: "predicted" },
    { before: "const inputBytes = await storedBytes([", point: "input written" },
    { before: "await publishEvent(tx, {", point: "predictions stored" },
  ],
};

/**
 * Returns a source of the service with calls of `passFaultPoint`, so that the service itself needs none. Lines keep
 * their numbers.
 *
 * @throws {Error} if a statement is missing or repeated
 */
export function withFaultPoints(file: string, source: string): string {
  const found = Object.entries(places).find(([path]) => file.endsWith(`/${path}`));
  return (found?.[1] ?? []).reduce((text, { before, point, job = "run.job" }) => {
    const parts = text.split(before);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places "${before}"`);
    return parts.join(`globalThis.__passFaultPoint?.(${job}, ${JSON.stringify(point)}); ${before}`);
  }, source);
}

/** Longer than the lease of a delivery, shorter than a watchdog permits. */
const blockMs = 15_000;

/** Channel of the points passed in this process, for example `"TrainModel: begun"`. */
export const passedPoints = channel("forkcast:fault-points");

/**
 * Publishes the name of a point to `passedPoints`. At the point that `FAULT_POINT` names, it kills or stops the process,
 * throws an error, or blocks the main loop: for 15 s (`block`), or for ever (`hang`). For example
 * `kill TrainModel: trained`, in the first attempt at a job, or `… (always)`.
 */
function passFaultPoint({ type, attempt }: { type: JobType; attempt: number }, point: FaultPoint): void {
  const name = `${type}: ${point}`;
  if (passedPoints.hasSubscribers) passedPoints.publish(name);
  const [, act, wanted, always] =
    /^(\w+) (\w+: [\w ]+?)( \(always\))?$/.exec(process.env.FAULT_POINT ?? "") ?? [];
  if (wanted !== name || (attempt > 1 && always === undefined)) return;
  if (act === "throw") throw new Error(`Injected failure at "${name}".`);
  if (act === "kill" || act === "stop") {
    process.kill(process.pid, act === "kill" ? "SIGKILL" : "SIGSTOP");
  } else {
    const ms = act === "block" ? blockMs : Number.POSITIVE_INFINITY;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }
}

// Names with this start stay between test files of one process.
Object.assign(globalThis, { __passFaultPoint: passFaultPoint });
