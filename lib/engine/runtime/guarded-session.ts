import type { ChildProcess } from "node:child_process";
import { counted } from "#lib/contract/counted";
import type { Table } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { type ChildLimits, childLimits, plainReason, sourceFile, startChild } from "./child-run.ts";
import type { InputBinding } from "./feeds.ts";
import type { OutputChoice } from "./outputs.ts";
import { BATCH_ROWS, type ModelSession } from "./session.ts";
import type { TensorInfo } from "./tensor-info.ts";

export type GuardedRequest = { table: Table; bindings: InputBinding[]; choice: OutputChoice };
export type GuardedAnswer =
  | { kind: "opened"; inputs: TensorInfo[]; outputs: TensorInfo[] }
  | { kind: "predicted"; values: Float64Array }
  | { kind: "refused"; reason: string };

/** A process that nobody asks anything ends after this; the next question starts another one. */
const IDLE_MS = 60_000;
/** Of the process altogether, for one that goes on after this process has died. */
const CPU_SECONDS = 600;

/**
 * A session in a process of its own, with limits on time (of each batch of rows) and memory: for models that may do
 * anything with the values that they are given, whatever they did when they were tried. What ends that process is told
 * of the one call that ended it. Aborting the signal ends it for good.
 *
 * @throws ModelInvalid as `openSession` does, and for what exceeds the limits
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
  /** One call at a time: the process has one thread. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(bytes: Uint8Array, limits: ChildLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  async open(): Promise<Extract<GuardedAnswer, { kind: "opened" }>> {
    const answer = await this.#inTurn(() => this.#start());
    if (answer.kind !== "opened") throw new Error("The model's process answered what nobody asked.");
    return answer;
  }

  async predict(request: GuardedRequest): Promise<Float64Array> {
    const answer = await this.#inTurn(async () => {
      if (this.#child === null) await this.#start();
      const child = this.#child!;
      return this.#answerOf(child, () => child.send(request));
    });
    if (answer.kind !== "predicted") throw new Error("The model's process answered what nobody asked.");
    return answer.values;
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      clearTimeout(this.#idle);
      return work();
    });
    this.#last = turn.catch(() => {});
    try {
      return await turn;
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

  /** What the process answers to what `ask` sends; nothing of it keeps this process from ending but the answer. */
  async #answerOf(child: ChildProcess, ask: () => void): Promise<GuardedAnswer> {
    const { timeoutMs, memoryMb } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<GuardedAnswer>();
    const late = `The model did not answer within ${counted(timeoutMs / 1000, "second")}.`;
    const timer = setTimeout(() => reject(new ModelInvalid(late)), timeoutMs);
    const ended = () => {
      const reason = `The model made its process end: it may need more than the ${memoryMb} MB of memory that it is given.`;
      reject(new ModelInvalid(reason));
    };
    child.once("message", resolve);
    child.once("exit", ended);
    child.ref();
    child.channel?.ref();
    let refusal: string;
    try {
      ask();
      const answer = await promise;
      if (answer.kind === "refused") refusal = answer.reason;
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
    throw new ModelInvalid(plainReason(refusal, memoryMb));
  }
}
