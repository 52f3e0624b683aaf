import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { counted } from "#lib/contract/counted";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { plainReason, sourceFile, startChild } from "#lib/engine/runtime/child-run";
import { type Rejection, rejected } from "#lib/engine/runtime/runtime-reason";
import type { ModelUse, ModelWork, UsedModel } from "./model-runner.ts";

export type ToModelProcess =
  | { kind: "open"; key: string; bytes: Uint8Array; use: ModelUse }
  | { kind: "run"; key: string; work: ModelWork };

/** `memoryMb`: private memory of the process after the work. `cpuMs`: processor time since its start. */
export type FromModelProcess = { result?: unknown; rejection?: Rejection; memoryMb: number; cpuMs: number };

export type ProcessLimits = {
  /** Processor time of a call, or time of any kind where the system does not state the former. */
  timeoutMs: number;
  /** Private memory of the process. */
  memoryMb: number;
};

/** Total limit of a process. Ends one that outlives its parent. */
const CPU_SECONDS = 600;
/** A call may last longer than its processor time by this factor, because the process has a low priority. */
const SLOWEST = 4;
/** Memory in megabytes of an idle process before it opens a model. */
const EMPTY_MB = 40;
/** Signals that end a process for reasons outside of its model, such as the system's out-of-memory killer. */
const OUTSIDE: readonly (NodeJS.Signals | null)[] = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGXCPU"];

/**
 * A call that ended without the model's own answer. `memory`: the process crashed, or exceeded its limit of memory, which
 * another call may have used up. `outside`: something else ended the process.
 */
export class CallLost extends Error {
  override readonly name = "CallLost";
  readonly by: "memory" | "outside";
  constructor(by: "memory" | "outside", message: string) {
    super(message);
    this.by = by;
  }
}

/** A process that runs models of one project, one call at a time. */
export class ModelProcess {
  readonly #child: ChildProcess;
  readonly #limits: ProcessLimits;
  readonly #open = new Set<string>();
  #memoryMb = EMPTY_MB;
  #cpuMs = 0;

  /** @param onExit called when the process has ended and its memory is free */
  constructor(limits: ProcessLimits, onExit: () => void) {
    this.#limits = limits;
    const { memoryMb, timeoutMs } = limits;
    const entry = sourceFile("./model-child.ts", import.meta.url);
    this.#child = startChild(
      entry,
      { timeoutMs, memoryMb, heapMb: Math.ceil(memoryMb / 2) },
      { cpuSeconds: CPU_SECONDS, stderr: "ignore" },
    );
    const { pid } = this.#child;
    if (pid !== undefined) trySetPriority(pid);
    this.#child.once("exit", onExit).on("error", onExit);
    this.#rest();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get limitMb(): number {
    return this.#limits.memoryMb;
  }

  /** Private memory after the last call. */
  get memoryMb(): number {
    return this.#memoryMb;
  }

  get isAlive(): boolean {
    return !this.hasExited && !this.#child.killed;
  }

  /** Whether its memory is free. */
  get hasExited(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }

  /**
   * Runs one call; opens the model first if necessary.
   *
   * @throws ModelInvalid, {@link CallLost}, the reason of `signal`, whose abort ends the process
   */
  async run({ key, use, read }: UsedModel, work: ModelWork, signal?: AbortSignal): Promise<unknown> {
    if (!this.#open.has(key)) {
      const bytes = await read();
      await this.#ask({ kind: "open", key, bytes, use }, signal);
      this.#open.add(key);
    }
    return this.#ask({ kind: "run", key, work }, signal);
  }

  async #ask(message: ToModelProcess, signal: AbortSignal | undefined): Promise<unknown> {
    const child = this.#child;
    const { timeoutMs, memoryMb } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<FromModelProcess>();
    const stop = (reason: unknown) => {
      this.end();
      reject(reason);
    };
    const abort = () => stop(signal!.reason);
    const begunMs = performance.now();
    let timer: NodeJS.Timeout;
    const checkTime = () => {
      const usedMs = cpuMs(child.pid!) - this.#cpuMs;
      const isSlowed = usedMs < timeoutMs && performance.now() - begunMs < SLOWEST * timeoutMs;
      if (isSlowed) timer = setTimeout(checkTime, timeoutMs - usedMs);
      else stop(new ModelInvalid(`The model did not respond within ${counted(timeoutMs / 1000, "second")}.`));
    };
    const ended = () => reject(lost(child, memoryMb));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    timer = setTimeout(checkTime, timeoutMs);
    child.once("message", resolve).once("exit", ended).once("error", reject);
    child.ref();
    child.channel?.ref();
    try {
      // A process that ends before it has read the message reports `exit`.
      if (child.connected) child.send(message, () => {});
      else if (this.hasExited) ended();
      const { rejection, result, ...used } = await promise;
      this.#memoryMb = used.memoryMb;
      this.#cpuMs = used.cpuMs;
      if (rejection === undefined) return result;
      const reason = plainReason(rejection.reason, memoryMb);
      if (reason !== rejection.reason) throw new CallLost("memory", reason);
      throw rejected(rejection);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      child.off("message", resolve).off("exit", ended).off("error", reject);
      this.#rest();
    }
  }

  /** Only a call in progress keeps the service's process alive. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}

/** Clock ticks a second in files of /proc, which are the same on every architecture. */
const TICKS = 100;

/** Returns the processor time of a process since its start; infinity where the system does not state it. */
function cpuMs(pid: number): number {
  try {
    // The fields after the name in parentheses, which may contain spaces: user and system time are the 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (1_000 * (Number(fields[11]) + Number(fields[12]))) / TICKS;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Gives the process a lower priority than those of the service. */
function trySetPriority(pid: number): void {
  try {
    setPriority(pid, Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority(pid)));
  } catch {
    // The process has ended, which its first call reports.
  }
}

function lost({ signalCode, exitCode }: ChildProcess, memoryMb: number): CallLost {
  const end = signalCode ?? `exit code ${exitCode}`;
  if (OUTSIDE.includes(signalCode)) {
    return new CallLost("outside", `Something outside of the service ended the model's process (${end}).`);
  }
  return new CallLost(
    "memory",
    `The model ended its process (${end}). It may need more than the limit of ${memoryMb} MB of memory.`,
  );
}
