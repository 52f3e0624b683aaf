import { Worker } from "node:worker_threads";
import { Turns } from "#lib/platform/concurrency/slots";
import { asError } from "#lib/platform/threads/messages";
import type { Thrown } from "./task.ts";

export type PoolAnswer = { output: unknown } | { error: Thrown };

export type PoolSettings = {
  /** The source file of the threads, which calls `answerQuestions`, and the module that it stands beside. */
  entry: string;
  beside: string;
  /** Threads at most. */
  threads: number;
  /** What each may hold besides columns of numbers. */
  heapMb: number;
};

/** Who cannot begin within this time is told to come again. */
const WAITING_MAX = 100;
const WAIT_MS = 30_000;
/** A thread that nobody asks anything ends after this, and its memory is free. */
const IDLE_MS = 600_000;

/**
 * Threads that stay, for questions that are short but not so short that others may wait for them: each answers one
 * after the other, and is started when all that there are have something to do.
 */
export class ThreadPool<Q, A> {
  readonly #settings: PoolSettings;
  readonly #turns: Turns;
  /** The one that answered last is asked first: it has the most at hand. */
  readonly #idle: Worker[] = [];

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#turns = new Turns({ atOnce: settings.threads, waiting: WAITING_MAX, waitMs: WAIT_MS });
  }

  /**
   * @param question plain data, which is copied
   * @param signal leaves the queue; what has begun goes on to its end
   * @throws what the thread throws; {DomainError} service_unavailable where too many wait; the reason of `signal`
   */
  async ask(question: Q, signal?: AbortSignal): Promise<A> {
    using _turn = await this.#turns.take(signal);
    const worker = this.#idle.pop() ?? this.#start();
    const answer = await answerOf(worker, question);
    this.#rest(worker);
    if ("error" in answer) throw asError(answer.error);
    return answer.output as A;
  }

  #start(): Worker {
    const { entry, beside, heapMb } = this.#settings;
    const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 };
    // Run from its source like everything but the pages; an address written out here would be built into them.
    const worker = new Worker(new URL(entry, beside), { resourceLimits });
    worker.on("error", () => {}).on("exit", () => this.#forget(worker));
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle.push(worker);
    setTimeout(() => {
      if (this.#idle.includes(worker)) void worker.terminate();
    }, IDLE_MS).unref();
  }

  #forget(worker: Worker): void {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}

/** A thread that ends in place of answering is not asked again. */
async function answerOf(worker: Worker, question: unknown): Promise<PoolAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PoolAnswer>();
  const ended = (code: number) => reject(new Error(`A thread ended with code ${code}.`));
  worker.on("message", resolve).on("error", reject).on("exit", ended);
  try {
    worker.ref();
    worker.postMessage(question);
    return await promise;
  } finally {
    worker.off("message", resolve).off("error", reject).off("exit", ended);
  }
}
