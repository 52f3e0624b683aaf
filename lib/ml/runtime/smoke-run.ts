import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TensorInfo } from "./tensor-info.ts";

export type SmokeOutput = {
  name: string;
  elementType: string;
  /** As they came back for the sample's rows; what the model declares may be wrong. */
  dims: number[];
  /** The first few. */
  values: (number | string)[];
};

export type SmokeResult =
  | { ok: true; inputs: TensorInfo[]; outputs: TensorInfo[]; sample: SmokeOutput[] }
  | { ok: false; reason: string };

export type SmokeLimits = {
  /** From the start of the process to its answer. */
  timeoutMs: number;
  /** What the process may hold in memory, the runtime's own 300 MB included. */
  memoryMb: number;
};

export const smokeLimits: SmokeLimits = { timeoutMs: 30_000, memoryMb: 2_048 };

const CHILD = fileURLToPath(new URL("./smoke-child.ts", import.meta.url));

/**
 * Loads a model from outside and runs it once on zeros, in a process of its own: one that loops, fills the memory or
 * crashes the runtime ends that process and nothing else. The file must have passed `inspectOnnx` before: the process
 * is no sandbox for the file system. Never rejects for what the model does.
 */
export async function smokeRun(bytes: Uint8Array, limits: Partial<SmokeLimits> = {}): Promise<SmokeResult> {
  const { timeoutMs, memoryMb } = { ...smokeLimits, ...limits };
  const child = startChild(timeoutMs, memoryMb);
  let errors = "";
  child.stderr?.on("data", (part: Buffer) => {
    errors = (errors + part.toString()).slice(-4_000);
  });
  // A child that ends before it has read everything breaks the pipe: its exit tells why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(bytes);

  const { promise, resolve, reject } = Promise.withResolvers<SmokeResult>();
  let answer: SmokeResult | null = null;
  const timer = setTimeout(() => {
    answer = { ok: false, reason: `The model did not answer within ${timeoutMs / 1000} seconds.` };
    child.kill("SIGKILL");
  }, timeoutMs);
  child.on("message", (message) => {
    answer ??= message as SmokeResult;
  });
  child.on("error", reject);
  child.on("close", () => {
    resolve(named(answer ?? { ok: false, reason: crashReason(child, errors, memoryMb) }, memoryMb));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * On Linux the shell's `ulimit -d` bounds all private memory that the process can write to, which covers the
 * runtime's allocations; elsewhere there is only the bound on JavaScript's own heap. `ulimit -t` ends a model that
 * loops after the parent has died.
 */
function startChild(timeoutMs: number, memoryMb: number): ChildProcess {
  const node = [process.execPath, "--max-old-space-size=256", CHILD];
  const cpuSeconds = 1 + Math.ceil(timeoutMs / 1000);
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
    stdio: ["pipe", "ignore", "pipe", "ipc"],
    // Nothing of the service's environment: it holds secrets.
    env: { NODE_ENV: "production" },
    cwd: "/",
  });
}

function named(result: SmokeResult, memoryMb: number): SmokeResult {
  if (result.ok || !/bad_alloc|bad allocation|failed to allocate|out of memory/i.test(result.reason))
    return result;
  return { ok: false, reason: `The model needs more than the ${memoryMb} MB of memory that it is given.` };
}

function crashReason(child: ChildProcess, errors: string, memoryMb: number): string {
  if (/bad_alloc|out of memory|Cannot allocate memory/i.test(errors)) {
    return `The model needs more than the ${memoryMb} MB of memory that it is given.`;
  }
  const end = child.signalCode ?? `exit code ${child.exitCode}`;
  return `The model made the runtime crash (${end}).`;
}
