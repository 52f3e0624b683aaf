import type { ChildProcess } from "node:child_process";
import { counted } from "#lib/contract/counted";
import type { Table } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { type ChildLimits, childLimits, plainReason, sourceFile, startChild } from "./child-run.ts";
import type { InputBinding } from "./feeds.ts";
import type { OutputChoice } from "./outputs.ts";
import { type Rejection, rejected } from "./runtime-reason.ts";
import { BATCH_ROWS, type ModelSession } from "./session.ts";
import type { TensorInfo } from "./tensor-info.ts";

export type GuardedRequest = { table: Table; bindings: InputBinding[]; choice: OutputChoice };
export type GuardedAnswer =
  | { kind: "opened"; inputs: TensorInfo[]; outputs: TensorInfo[] }
  | { kind: "predicted"; values: Float64Array }
  | ({ kind: "rejected" } & Rejection);

/** Idle processes end after this time. The next call starts another process. */
const IDLE_MS = 60_000;
/** Total limit per process. Ends a process that outlives its parent. */
const CPU_SECONDS = 600;

/**
 * Opens a session in its own process, with limits on memory and on the time of each batch of rows. For models whose
 * behaviour depends on input values, so that the trial run proves nothing. Only the call that ends the process fails.
 * Aborting the signal ends the process for good.
 *
 * @throws ModelInvalid as `openSession` does, and if a limit is exceeded
 */
export async function openGuardedSession(
  bytes: Uint8Array,
  { signal, ...limits }: Partial<ChildLimits> & { signal?: AbortSignal | undefined } = {},
): Promise<Omit<ModelSession, "predict" | "trees">> {
  const guard = new Guard(bytes, { ...childLimits, ...limits });
  signal?.addEventListener("abort", () => guard.end(), { once: true });
  const { inputs, outputs } = await guard.open();
  return {
    inputs,
    outputs,
    async predictNamed(table, bindings, choice = {}) {
      const names = new Set(bindings.map(({ feature }) => feature));
      const present = table.columns.map(({ name }) => name).filter((name) => names.has(name));
      const wanted = selectColumns(table, present);
      const predictions = new Float64Array(table.rowCount);
      for (let start = 0; start < table.rowCount; start += BATCH_ROWS) {
        signal?.throwIfAborted();
        const part = sliceRows(wanted, start, start + BATCH_ROWS);
        predictions.set(await guard.predict({ table: part, bindings, choice }), start);
      }
      return predictions;
    },
    release: async () => guard.end(),
  };
}

class Guard {
  readonly #bytes: Uint8Array;
  readonly #limits: ChildLimits;
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** Runs one call at a time, because the process has one thread. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(bytes: Uint8Array, limits: ChildLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  async open(): Promise<Extract<GuardedAnswer, { kind: "opened" }>> {
    const answer = await this.#inSequence(() => this.#start());
    if (answer.kind !== "opened") throw new Error("The model's process sent an unexpected answer.");
    return answer;
  }

  async predict(request: GuardedRequest): Promise<Float64Array> {
    const answer = await this.#inSequence(async () => {
      if (this.#child === null) await this.#start();
      const child = this.#child!;
      return this.#answerOf(child, () => child.send(request));
    });
    if (answer.kind !== "predicted") throw new Error("The model's process sent an unexpected answer.");
    return answer.values;
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  async #inSequence<T>(work: () => Promise<T>): Promise<T> {
    const call = this.#last.then(() => {
      clearTimeout(this.#idle);
      return work();
    });
    this.#last = call.catch(() => {});
    try {
      return await call;
    } finally {
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  #start(): Promise<GuardedAnswer> {
    const entry = sourceFile("./guarded-child.ts", import.meta.url);
    const child = startChild(entry, this.#limits, {
      cpuSeconds: CPU_SECONDS,
      stderr: "ignore",
    });
    this.#child = child;
    child
      .on("error", () => {})
      .on("exit", () => {
        if (this.#child === child) this.#child = null;
      });
    child.stdin!.on("error", () => {});
    return this.#answerOf(child, () => child.stdin!.end(this.#bytes));
  }

  /** Returns the process's answer to the message that `send` sends. Only a pending answer keeps this process alive. */
  async #answerOf(child: ChildProcess, send: () => void): Promise<GuardedAnswer> {
    const { timeoutMs, memoryMb } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<GuardedAnswer>();
    const timeoutMessage = `The model did not respond within ${counted(timeoutMs / 1000, "second")}.`;
    const timer = setTimeout(() => reject(new ModelInvalid(timeoutMessage)), timeoutMs);
    const ended = () => {
      const reason = `The model ended its process. It may need more than the limit of ${memoryMb} MB of memory.`;
      reject(new ModelInvalid(reason));
    };
    child.once("message", resolve);
    child.once("exit", ended);
    child.ref();
    child.channel?.ref();
    let rejection: Rejection;
    try {
      send();
      const answer = await promise;
      if (answer.kind === "rejected") rejection = answer;
      else return answer;
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      child.off("message", resolve).off("exit", ended);
      child.unref();
      child.channel?.unref();
    }
    throw rejected({ ...rejection, reason: plainReason(rejection.reason, memoryMb) });
  }
}
