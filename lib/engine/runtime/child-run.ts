import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { counted } from "#lib/contract/counted";

export type ChildLimits = {
  /** From the start of the process to its answer. */
  timeoutMs: number;
  /** What the process may hold in memory, the runtime's own 300 MB included. */
  memoryMb: number;
  /** What JavaScript's values may take of it. */
  heapMb: number;
};

export const childLimits: ChildLimits = { timeoutMs: 30_000, memoryMb: 2_048, heapMb: 1_024 };

/** What every child can answer besides its result. */
export type Refused = { ok: false; reason: string };

/** Run from its source like everything but the pages; an address written out would be built into them. */
export function sourceFile(name: string, beside: string): string {
  return fileURLToPath(new URL(name, beside));
}

/**
 * Runs a source file in a process of its own with limits on time and memory: it gets bytes on standard input and answers
 * with one message. Never rejects for what happens in there; aborting the signal ends it.
 */
export async function runInChild<T extends { ok: boolean }>(
  entry: string,
  bytes: Uint8Array,
  limits: ChildLimits,
  { args = [], signal }: { args?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<T | Refused> {
  signal?.throwIfAborted();
  const { timeoutMs, memoryMb } = limits;
  const child = startChild(entry, limits, { args });
  let errors = "";
  child.stderr?.on("data", (part: Buffer) => {
    errors = (errors + part.toString()).slice(-4_000);
  });
  // A child that ends before it has read everything breaks the pipe: its exit tells why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(bytes);

  const { promise, resolve, reject } = Promise.withResolvers<T | Refused>();
  let answer: T | Refused | null = null;
  const timer = setTimeout(() => {
    answer = { ok: false, reason: `The model did not answer within ${counted(timeoutMs / 1000, "second")}.` };
    child.kill("SIGKILL");
  }, timeoutMs);
  child.on("message", (message) => {
    answer ??= message as T | Refused;
  });
  const stop = () => {
    child.kill("SIGKILL");
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", stop, { once: true });
  child.on("error", reject);
  child.on("close", () => {
    resolve(named(answer ?? { ok: false, reason: crashReason(child, errors, memoryMb) }, memoryMb));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Answers the parent from within the child, which then ends whatever the model may have left running. */
export function answerParent(result: { ok: boolean }): void {
  process.send?.(result, () => process.exit(0));
}

/**
 * Starts the process, with nothing of the service's environment: that holds secrets.
 *
 * On Linux the shell's `ulimit -d` bounds all private memory that the process can write to, which covers the
 * runtime's allocations; elsewhere there is only the bound on JavaScript's own heap. `ulimit -t` ends a model that
 * loops after the parent has died.
 */
export function startChild(
  entry: string,
  { timeoutMs, memoryMb, heapMb }: ChildLimits,
  {
    cpuSeconds = 1 + Math.ceil(timeoutMs / 1000),
    stderr = "pipe",
    args = [],
  }: { cpuSeconds?: number; stderr?: "pipe" | "ignore"; args?: readonly string[] } = {},
): ChildProcess {
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, entry, ...args];
  const command =
    process.platform === "linux"
      ? [
          "/bin/sh",
          "-c",
          `ulimit -c 0; ulimit -t ${cpuSeconds}; ulimit -d ${memoryMb * 1024} && exec "$@"`,
          "sh",
          ...node,
        ]
      : node;
  return spawn(command[0]!, command.slice(1), {
    stdio: ["pipe", "ignore", stderr, "ipc"],
    // Bytes and typed arrays go as they are.
    serialization: "advanced",
    env: { NODE_ENV: "production" },
    cwd: "/",
  });
}

function named<T extends { ok: boolean }>(result: T | Refused, memoryMb: number): T | Refused {
  return "reason" in result ? { ...result, reason: plainReason(result.reason, memoryMb) } : result;
}

/** The runtime's words for a lack of memory in ours; other reasons as they are. */
export function plainReason(reason: string, memoryMb: number): string {
  if (!/bad_alloc|bad allocation|failed to allocate|out of memory|Cannot allocate memory/i.test(reason))
    return reason;
  return `The model needs more than the ${memoryMb} MB of memory that it is given.`;
}

function crashReason(child: ChildProcess, errors: string, memoryMb: number): string {
  const end = child.signalCode ?? `exit code ${child.exitCode}`;
  const crash = `The model made the runtime crash (${end}).`;
  const reason = plainReason(errors, memoryMb);
  return reason === errors ? crash : reason;
}
