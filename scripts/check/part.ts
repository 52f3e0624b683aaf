import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

/** A test that failed, or (without a title) a file that could not be loaded. */
export type Failure = { place: string; title: string; message: string };

/** Number of tests of a part by outcome, and the failed tests. */
export type Counts = { passed: number; failed: number; skipped: number; failures: Failure[] };

export type Outcome = {
  name: string;
  passed: boolean;
  /** null: the part consists of no tests. */
  counts: Counts | null;
  durationMs: number;
};

type Options = {
  /** Environment variables, computed when the part starts. */
  environment?: () => Record<string, string>;
  /** Reads the report of the part; null without a report. */
  count?: () => Counts | null;
};

const root = path.resolve(import.meta.dirname, "..", "..");
const NAME_CHARACTERS = "browser".length;

/**
 * Runs scripts one after another until one fails. Prints their output with the name of the part before each line, because
 * parts run at the same time. A script that cannot start and a report that cannot be read fail the part, so that the next
 * parts run.
 */
export async function runPart(name: string, commands: string[][], options: Options = {}): Promise<Outcome> {
  const named = (line: unknown) => `${name.padEnd(NAME_CHARACTERS)} │ ${line}`;
  const print = (line: string) => console.log(named(line));
  const startedAt = performance.now();
  const printError = (error: unknown) => console.error(named(error instanceof Error ? error.message : error));
  let passed = false;
  let counts: Counts | null = null;
  try {
    for (const command of commands) {
      passed = await succeeds(command, options.environment?.() ?? {}, print);
      if (!passed) break;
    }
  } catch (error) {
    printError(error);
  }
  try {
    counts = options.count?.() ?? null;
  } catch (error) {
    // A run that was ended while it wrote its report.
    passed = false;
    printError(error);
  }
  return { name, passed, counts, durationMs: performance.now() - startedAt };
}

/** The Node.js of this process comes first on the path, for tools that start "node" themselves. */
async function succeeds(
  command: string[],
  variables: Record<string, string>,
  print: (line: string) => void,
): Promise<boolean> {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
      ...variables,
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_COMPILE_CACHE: path.join(root, ".test-data", "compile-cache"),
      PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH}`,
    },
  });
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on("line", print);
  }
  const closed = once(child, "close");
  const [code] = await once(child, "exit");
  // A process that the script left behind may keep the output open.
  await Promise.race([closed, delay(5_000, undefined, { ref: false })]);
  for (const output of [child.stdout, child.stderr]) output.destroy();
  return code === 0;
}
