import { Slots } from "#lib/platform/concurrency/slots";
import { perProcess } from "#lib/platform/process/per-process";

/** Longer than the time limit of the jobs that wait, so that the limit decides. */
const WAIT_MS = 3_600_000;

/** A trial may take gigabytes, so each service process runs one at a time. */
const slots = perProcess("trialSlots", () => new Slots({ atOnce: 1, waiting: 1_000, waitMs: WAIT_MS }));

/** Waits until no other imported file is tried. @throws the reason of `signal` */
export const acquireTrialSlot = (signal: AbortSignal | undefined) => slots().acquire(signal);
