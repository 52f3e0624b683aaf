import { CallLost, ModelProcess } from "#lib/engine/inference/model-process";
import type { ModelWork, UsedModel } from "#lib/engine/inference/model-runner";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { DomainError } from "#lib/platform/errors/domain-error";

export type ModelProcessSettings = {
  /** Private memory of all processes together, in megabytes. */
  budgetMb: number;
  /** Largest memory of one process: a part of the budget, so that one project leaves room for others. */
  processMb: number;
  /** Time for one call. */
  timeoutMs: number;
  /** Time that a call waits for its beginning. */
  waitMs: number;
  /** Time that an idle process stays. */
  idleMs: number;
};

type CallOptions = { signal?: AbortSignal | undefined; isPatient?: boolean };

type Call = {
  model: UsedModel;
  work: ModelWork;
  signal: AbortSignal | undefined;
  memoryMb: number;
  /** Whether the call runs in a new process, so that no other call's memory is in the way. */
  isAlone: boolean;
  isRetried: boolean;
  /** Called at the beginning. */
  stopWaiting: () => void;
  resolve: (result: unknown) => void;
  reject: (cause: unknown) => void;
};

type Project = {
  id: string;
  calls: Call[];
  process: ModelProcess | null;
  isRunning: boolean;
  idle: NodeJS.Timeout | undefined;
};

/** Memory of a process for small models, and per byte of a larger model's file. Node.js takes 40 MB of it. */
const START_MB = 160;
const MEMORY_PER_BYTE = 6;
/** Waiting calls of a project. */
const WAITING_MAX = 200;
/** Time that an idle process stays that holds more memory than a new one needs. */
const LARGE_IDLE_MS = 2_000;

/**
 * Runs ONNX files of strangers in processes that can be ended: one for each project, one call at a time. Example: with a
 * budget of 1,024 MB, two projects run calls of up to 512 MB at the same time. A third project's call waits until one of
 * them ends. Then the idle process is closed, because a busy process counts with its limit and an idle one with the
 * memory that it holds.
 *
 * A simple pool of processes would let one project see another's data after an attack on the runtime, and wait behind
 * its calls.
 */
export class ModelProcesses {
  readonly #settings: ModelProcessSettings;
  /** Least recently used first. */
  readonly #projects = new Map<string, Project>();
  /** Projects whose first call waits, in the order of waiting. */
  readonly #ready = new Set<Project>();
  /** Processes that have been ended but still hold memory. */
  readonly #ending = new Set<ModelProcess>();

  constructor(settings: ModelProcessSettings) {
    this.#settings = settings;
  }

  /**
   * Runs a call in the project's process.
   *
   * @param options.signal ends the call, with its process if it runs
   * @param options.isPatient whether the call may wait longer than `waitMs`
   * @throws {ModelInvalid} if the model rejects the work, or exceeds a limit
   * @throws {DomainError} service_unavailable if the call waits too long; the reason of `signal`
   */
  run(
    projectId: string,
    model: UsedModel,
    work: ModelWork,
    { signal, isPatient = false }: CallOptions = {},
  ): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const project = this.#projectOf(projectId);
    if (project.calls.length >= WAITING_MAX) return Promise.reject(busyError());
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const memoryMb = Math.min(
      this.#settings.processMb,
      START_MB + Math.ceil((MEMORY_PER_BYTE * model.size) / 2 ** 20),
    );
    const leave = (reason: unknown) => {
      project.calls.splice(project.calls.indexOf(call), 1);
      call.stopWaiting();
      if (project.calls.length === 0) this.#ready.delete(project);
      this.#forgetUnused(projectId);
      reject(reason);
      this.#dispatch();
    };
    const abort = () => leave(signal!.reason);
    const late = isPatient ? undefined : setTimeout(() => leave(busyError()), this.#settings.waitMs);
    signal?.addEventListener("abort", abort, { once: true });
    const call: Call = {
      model,
      work,
      signal,
      memoryMb,
      resolve,
      reject,
      isAlone: false,
      isRetried: false,
      stopWaiting() {
        clearTimeout(late);
        signal?.removeEventListener("abort", abort);
      },
    };
    this.#enqueue(project, call);
    return promise;
  }

  /** Returns the processes that exist, with the memory in megabytes that each may use and holds. */
  list(): { projectId: string; pid: number | undefined; limitMb: number; memoryMb: number }[] {
    return [...this.#projects].flatMap(([projectId, { process }]) => {
      if (process === null) return [];
      const { pid, limitMb, memoryMb } = process;
      return [{ projectId, pid, limitMb, memoryMb }];
    });
  }

  /** Ends all idle processes. */
  endIdle(): void {
    for (const project of this.#projects.values()) if (!project.isRunning) this.#end(project);
  }

  #projectOf(id: string): Project {
    const project = this.#projects.get(id) ?? {
      id,
      calls: [],
      process: null,
      isRunning: false,
      idle: undefined,
    };
    this.#projects.delete(id);
    this.#projects.set(id, project);
    return project;
  }

  #enqueue(project: Project, call: Call): void {
    project.calls.push(call);
    if (!project.isRunning) this.#ready.add(project);
    this.#dispatch();
  }

  /** Begins the calls that have room, in the order of waiting. A large call is not overtaken, so it gets its room. */
  #dispatch(): void {
    for (const project of this.#ready) {
      if (!this.#makeRoom(project)) return;
      this.#ready.delete(project);
      void this.#runNext(project);
    }
  }

  /** Returns whether the project's first call has a process or room for one. Otherwise closes idle processes. */
  #makeRoom(project: Project): boolean {
    const { memoryMb, isAlone } = project.calls[0]!;
    const { process } = project;
    if (process !== null && (!process.isAlive || isAlone || process.limitMb < memoryMb)) this.#end(project);
    const wantedMb = project.process?.limitMb ?? memoryMb;
    const others = [...this.#projects.values()].filter((one) => one !== project && one.process !== null);
    let heldMb = others.reduce((sum, one) => sum + heldBy(one), 0);
    const endingMb = () => [...this.#ending].reduce((sum, one) => sum + one.memoryMb, 0);
    const { budgetMb } = this.#settings;
    if (heldMb + endingMb() + wantedMb <= budgetMb) return true;
    for (const one of others) {
      if (heldMb + wantedMb <= budgetMb) break;
      if (one.isRunning) continue;
      heldMb -= heldBy(one);
      this.#end(one);
    }
    // The end of a process calls `dispatch` again.
    return false;
  }

  async #runNext(project: Project): Promise<void> {
    const call = project.calls.shift()!;
    call.stopWaiting();
    project.isRunning = true;
    clearTimeout(project.idle);
    project.process ??= this.#start(project, call.memoryMb);
    let again = false;
    try {
      call.resolve(await project.process.run(call.model, call.work, call.signal));
    } catch (cause) {
      again = this.#retry(call, cause);
    }
    project.isRunning = false;
    if (again) project.calls.unshift(call);
    if (!project.process.isAlive) this.#end(project);
    else this.#rest(project);
    if (project.calls.length > 0) this.#ready.add(project);
    this.#dispatch();
  }

  /** Returns whether a failed call runs again: after a cause outside of it, or with all memory that a call may have. */
  #retry(call: Call, cause: unknown): boolean {
    const { processMb } = this.#settings;
    if (!(cause instanceof CallLost)) call.reject(cause);
    else if (cause.by === "memory" && !call.isAlone) {
      Object.assign(call, { memoryMb: processMb, isAlone: true });
      return true;
    } else if (cause.by === "outside" && !call.isRetried) {
      call.isRetried = true;
      return true;
    } else call.reject(new ModelInvalid(cause.message));
    return false;
  }

  #start(project: Project, memoryMb: number): ModelProcess {
    const { timeoutMs } = this.#settings;
    const process: ModelProcess = new ModelProcess({ memoryMb, timeoutMs }, () => {
      this.#ending.delete(process);
      if (project.process === process && !project.isRunning) this.#end(project);
      this.#dispatch();
    });
    return process;
  }

  /** Ends the project's process after a while, which is short if it holds more memory than a new one. */
  #rest(project: Project): void {
    const isLarge = project.process!.memoryMb > START_MB;
    const ms = isLarge ? Math.min(LARGE_IDLE_MS, this.#settings.idleMs) : this.#settings.idleMs;
    project.idle = setTimeout(() => this.#end(project), ms).unref();
  }

  #end(project: Project): void {
    clearTimeout(project.idle);
    const { process } = project;
    project.process = null;
    if (process !== null) {
      process.end();
      if (!process.hasExited) this.#ending.add(process);
    }
    this.#forgetUnused(project.id);
  }

  #forgetUnused(id: string): void {
    const project = this.#projects.get(id);
    if (project && project.calls.length === 0 && !project.isRunning && project.process === null)
      this.#projects.delete(id);
  }
}

const heldBy = ({ process, isRunning }: Project) =>
  isRunning ? process!.limitMb : Math.min(process!.memoryMb, process!.limitMb);

function busyError(): DomainError {
  const message = "Too many imported models are at work. Retry after the delay in the header Retry-After.";
  return new DomainError("service_unavailable", message, { retryAfterSeconds: 10 });
}
