import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

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

/**
 * Runs scripts one after another until one fails. Their output goes to the terminal. A script that cannot start and a
 * report that cannot be read fail the part, so that the next parts run.
 */
export async function runPart(name: string, commands: string[][], options: Options = {}): Promise<Outcome> {
  console.log(`\n── ${name} ${"─".repeat(60 - name.length)}`);
  const startedAt = performance.now();
  const printError = (error: unknown) => console.error(error instanceof Error ? error.message : error);
  let passed = false;
  let counts: Counts | null = null;
  try {
    passed = await succeedAll(commands, options.environment?.() ?? {});
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

async function succeedAll(commands: string[][], variables: Record<string, string>): Promise<boolean> {
  for (const command of commands) if (!(await succeeds(command, variables))) return false;
  return true;
}

/** The Node.js of this process comes first on the path, for tools that start "node" themselves. */
async function succeeds(command: string[], variables: Record<string, string>): Promise<boolean> {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      ...variables,
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_COMPILE_CACHE: path.join(root, ".test-data", "compile-cache"),
      PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH}`,
    },
  });
  const [code] = await once(child, "exit");
  return code === 0;
}
