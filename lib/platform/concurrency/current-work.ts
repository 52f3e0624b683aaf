import { AsyncLocalStorage } from "node:async_hooks";
import { perProcess } from "#lib/platform/process/per-process";

/** Time in milliseconds that one request may take for imported models. */
export const REQUEST_MS = 60_000;

/** The request or job that a call belongs to. */
export interface Work {
  /** Whether it may wait for resources as long as it may run. */
  readonly isJob: boolean;
  /** Project whose share of common resources it uses; null outside of projects. */
  readonly projectId: string | null;
  /** Ends calls of imported models. */
  readonly signal: AbortSignal | undefined;
}

/**
 * A request. The signal of its caller is not part of it, because requests of several callers can wait for the same result.
 * A class, as `CallContext` is.
 */
export class RequestWork implements Work {
  readonly isJob = false;
  readonly projectId: string | null;
  #signal: AbortSignal | undefined;

  constructor(projectId: string | null) {
    this.projectId = projectId;
  }

  /** Aborts some time after the first access: that of the first call of an imported model. */
  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.timeout(REQUEST_MS);
    return this.#signal;
  }
}

const storage = perProcess("currentWork", () => new AsyncLocalStorage<Work>());

/** Runs a function, and everything that it starts, as part of the work. */
export const runAs = <T>(work: Work, run: () => T): T => storage().run(work, run);

/** Returns undefined outside of requests and jobs. */
export const currentWork = (): Work | undefined => storage().getStore();
