import { Worker } from "node:worker_threads";
import { logger } from "#lib/platform/log/logger";

/** Delivery of a job or part whose heartbeat the thread refreshes. `retryCount` identifies the delivery among those of its job. */
export type Delivery = { queue: string; id: string; retryCount: number };

/** To the thread. Beat: the main loop runs. Stopping: seconds until the process must have ended. */
export type ToWatchdog =
  | { kind: "beat" }
  | { kind: "held"; deliveries: Delivery[] }
  | { kind: "stopping"; seconds: number };

export type WatchdogSettings = {
  /** Address of the database for the heartbeats. null: the process holds no deliveries. */
  url: string | null;
  /** Seconds without a turn of the main loop after which the process ends. */
  blockedSeconds: number;
  /** Whether the process ends with its parent, even while its main loop is blocked. */
  endsWithParent: boolean;
};

/**
 * Seconds that the main loop of a worker may be blocked. Large files and fits run in threads, so the loop seldom waits
 * for a second. Without the thread, a job lost its delivery after ten seconds.
 */
export const blockedSeconds = 20;

/** Signal by which a watchdog ends its process. Nothing else sends it. */
export const watchdogSignal = "SIGALRM";

const beatMs = 1_000;

/**
 * Thread that watches the main loop of its process, and keeps its deliveries alive meanwhile.
 *
 * Example: a job computes for 15 s without a pause. The timers of the main loop do not run, so pg-boss could not refresh
 * the heartbeats of the process, and its five jobs would be delivered to other workers after ten seconds. The thread
 * refreshes them. If the loop stays blocked for `blockedSeconds`, the thread ends the process: neither a cancellation nor
 * SIGTERM would reach it.
 */
export class Watchdog {
  readonly #thread: Worker;
  readonly #held = new Set<Delivery>();
  readonly #beats: NodeJS.Timeout;

  constructor(settings: WatchdogSettings) {
    const thread = new Worker(new URL("./watchdog-thread.ts", import.meta.url), { workerData: settings });
    thread.unref();
    thread.on("error", (err) => {
      logger().fatal({ err }, "the watchdog failed; the process ends");
      process.exit(1);
    });
    this.#thread = thread;
    this.#beats = setInterval(() => this.#send({ kind: "beat" }), beatMs).unref();
  }

  /** Refreshes the heartbeat of a delivery until it is disposed of. */
  hold(delivery: Delivery): Disposable {
    this.#held.add(delivery);
    this.#sendHeld();
    return {
      [Symbol.dispose]: () => {
        this.#held.delete(delivery);
        this.#sendHeld();
      },
    };
  }

  /** Ends the process after this time, unless it has ended by itself. */
  endWithin(seconds: number): void {
    this.#send({ kind: "stopping", seconds });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#beats);
    await this.#thread.terminate();
  }

  #sendHeld(): void {
    this.#send({ kind: "held", deliveries: [...this.#held] });
  }

  #send(message: ToWatchdog): void {
    this.#thread.postMessage(message);
  }
}
