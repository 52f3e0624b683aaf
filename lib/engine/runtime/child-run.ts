import { type ChildProcess, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { counted } from "#lib/contract/counted";
import type { Rejection } from "./runtime-reason.ts";

export type ChildLimits = {
  /** From the start of the process to its answer. */
  timeoutMs: number;
  /** Private memory of the process. Node.js and the runtime take 40 MB of it. */
  memoryMb: number;
  /** Part of the memory for JavaScript values. */
  heapMb: number;
};

export const childLimits: ChildLimits = { timeoutMs: 30_000, memoryMb: 1_536, heapMb: 1_024 };

/** Addresses in megabytes that V8 reserves for compiled code. The system counts them as memory, but few are used. */
const CODE_MB = process.arch === "x64" ? 512 : 128;

/** Failure that every child can return instead of its result. */
type Rejected = { ok: false } & Rejection;

/** Runs from source like everything except the pages. A literal URL would be bundled into the pages. */
export function sourceFile(name: string, beside: string): string {
  return fileURLToPath(new URL(name, beside));
}

/**
 * Runs a source file in its own process with limits on time and memory. The process receives bytes on standard input,
 * the request (if any) as a message, and answers with one message. Never rejects for failures inside the process.
 * Aborting the signal ends the process.
 */
export async function runInChild<T extends { ok: boolean }>(
  entry: string,
  bytes: Uint8Array,
  limits: ChildLimits,
  { request, signal }: { request?: Record<string, unknown>; signal?: AbortSignal | undefined } = {},
): Promise<T | Rejected> {
  signal?.throwIfAborted();
  const { timeoutMs, memoryMb } = limits;
  const child = startChild(entry, limits);
  let errors = "";
  child.stderr?.on("data", (part: Buffer) => {
    errors = (errors + part.toString()).slice(-4_000);
  });
  // A child that ends before it has read everything breaks the pipe. Its exit code explains why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(bytes);
  // A child that could not start has no channel.
  if (request) child.send(request, () => {});

  const { promise, resolve, reject } = Promise.withResolvers<T | Rejected>();
  let answer: T | Rejected | null = null;
  const timer = setTimeout(() => {
    answer = {
      ok: false,
      reason: `The model did not respond within ${counted(timeoutMs / 1000, "second")}.`,
    };
    child.kill("SIGKILL");
  }, timeoutMs);
  child.on("message", (message) => {
    answer ??= message as T | Rejected;
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

/** Sends the child's result to the parent, then exits, which also ends anything that the model left running. */
export function answerParent(result: { ok: boolean }): void {
  process.send?.(result, () => process.exit(0));
}

/**
 * Starts the process without the service's environment, which contains secrets. It uses the compile cache, so that it
 * does not strip types at each start.
 *
 * On Linux, the shell's `ulimit -d` limits all private writable memory, including the runtime's allocations.
 * Elsewhere, only JavaScript's heap is limited. `ulimit -t` ends a looping model after the parent has died.
 */
export function startChild(
  entry: string,
  { timeoutMs, memoryMb, heapMb }: ChildLimits,
  {
    cpuSeconds = 1 + Math.ceil(timeoutMs / 1000),
    stderr = "pipe",
  }: { cpuSeconds?: number; stderr?: "pipe" | "ignore" } = {},
): ChildProcess {
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    // Fewer threads and less unused memory: many processes may be open.
    "--max-semi-space-size=2",
    "--v8-pool-size=1",
    "--expose-gc",
    entry,
  ];
  const command =
    process.platform === "linux"
      ? [
          "/bin/sh",
          "-c",
          `ulimit -c 0; ulimit -t ${cpuSeconds}; ulimit -d ${(memoryMb + CODE_MB) * 1024} && exec "$@"`,
          "sh",
          ...node,
        ]
      : node;
  const cache = getCompileCacheDir();
  return spawn(command[0]!, command.slice(1), {
    stdio: ["pipe", "ignore", stderr, "ipc"],
    // Transfers bytes and typed arrays unchanged.
    serialization: "advanced",
    env: {
      NODE_ENV: "production",
      UV_THREADPOOL_SIZE: "1",
      MALLOC_ARENA_MAX: "1",
      ...(cache && { NODE_COMPILE_CACHE: path.dirname(cache) }),
    },
    cwd: "/",
  });
}

function named<T extends { ok: boolean }>(result: T | Rejected, memoryMb: number): T | Rejected {
  return "reason" in result ? { ...result, reason: plainReason(result.reason, memoryMb) } : result;
}

/** Replaces the runtime's out-of-memory messages. Returns other reasons unchanged. */
export function plainReason(reason: string, memoryMb: number): string {
  if (!/bad_alloc|bad allocation|failed to allocate|out of memory|Cannot allocate memory/i.test(reason))
    return reason;
  return `The model needs more than the limit of ${memoryMb} MB of memory.`;
}

function crashReason(child: ChildProcess, errors: string, memoryMb: number): string {
  const end = child.signalCode ?? `exit code ${child.exitCode}`;
  const crash = `The model crashed the runtime (${end}).`;
  const reason = plainReason(errors, memoryMb);
  return reason === errors ? crash : reason;
}
