import type { MessagePort } from "node:worker_threads";
import { perProcess } from "#lib/platform/process/per-process";
import { asData, asError, type Thrown } from "./messages.ts";

/** A function of the main thread that its threads may call. Request and result are plain data. */
type MainThreadFunction = (request: unknown, signal: AbortSignal) => Promise<unknown>;

type ToMain = { kind: "call"; id: number; name: string; request: unknown } | { kind: "abort"; id: number };
type FromMain = { id: number } & ({ result: unknown } | { error: Thrown });

/** Modules offer their functions once, when they load. Tests clear the objects of the process, but load no module again. */
const offered = new Map<string, MainThreadFunction>();
const functions = perProcess("mainThreadFunctions", () => new Map(offered));

/** Lets threads of this process call a function. */
export function offerToThreads(name: string, run: MainThreadFunction): void {
  offered.set(name, run);
  functions().set(name, run);
}

/** Answers the calls of a thread until it closes the port or ends, which aborts them. */
export function answerThread(port: MessagePort): void {
  const running = new Map<number, AbortController>();
  port.on("message", async (message: ToMain) => {
    if (message.kind === "abort") return running.get(message.id)?.abort();
    const { id, name, request } = message;
    const caller = new AbortController();
    running.set(id, caller);
    let answer: FromMain;
    try {
      answer = { id, result: await functions().get(name)!(request, caller.signal) };
    } catch (cause) {
      answer = { id, error: asData(cause) };
    }
    running.delete(id);
    port.postMessage(answer);
  });
  port.on("close", () => {
    for (const caller of running.values()) caller.abort();
  });
  port.unref();
}

/** A thread's calls of functions of the main thread. */
class MainThread {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (answer: FromMain) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("error" in answer) waiting?.reject(asError(answer.error));
      else waiting?.resolve(answer.result);
    });
    port.unref();
  }

  /** @throws the function's error, as `asError` returns it; the reason of `signal` */
  async call(name: string, request: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const id = ++this.#last;
    const answer = Promise.withResolvers<unknown>();
    const abort = () => {
      this.#port.postMessage({ kind: "abort", id } satisfies ToMain);
      answer.reject(signal!.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiting.set(id, answer);
    this.#port.postMessage({ kind: "call", id, name, request } satisfies ToMain);
    try {
      return await answer.promise;
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener("abort", abort);
    }
  }
}

const threads = perProcess("mainThreadOfThread", () => ({ main: null as MainThread | null }));

/** Connects a thread with its main thread. */
export function connectMainThread(port: MessagePort): void {
  threads().main = new MainThread(port);
}

/** Returns the main thread that has started this thread; null in a main thread, and in other threads. */
export function mainThread(): Pick<MainThread, "call"> | null {
  return threads().main;
}
