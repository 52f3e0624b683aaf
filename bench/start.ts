import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#server/postgres/free-port";
import { startPostgres } from "#server/postgres/start-postgres";
import { processTree } from "../e2e/process-tree.ts";
import { type Benchmark, type Contender, measure, temporaryFolder } from "./harness.ts";

type Started = { pid: number; stop(): Promise<void> };

const root = path.dirname(import.meta.dirname);
const IDLE_MS = 10_000;

/** Output of the worker, the realtime server and the supervisor when they are ready. */
const READY_TEXTS = ["takes jobs", "[realtime]", "ready on "];

/**
 * Measures `npm start` on an existing database, until all parts are ready. Compares it with the start of Next.js and of
 * PostgreSQL alone.
 */
export const start: Benchmark = async function* ({ quick, rounds }) {
  const what = "npm start, existing database, until web, worker and realtime are ready";
  using folder = temporaryFolder();
  const dataDir = path.join(folder.path, "data");
  const [port, realtimePort] = [await freePort(), await freePort()];
  const env = {
    PORT: String(port),
    REALTIME_PORT: String(realtimePort),
    DATA_DIR: dataDir,
    DEMO: "0",
    ADMIN_EMAIL: "",
    ADMIN_PASSWORD: "",
  };
  const startService = () => startUntil(READY_TEXTS, ["npm", "start"], env);
  const startNext = async () => {
    const program = path.join(root, "node_modules/next/dist/bin/next");
    const started = await startUntil(
      ["Ready in"],
      [process.execPath, program, "start", "--port", String(port)],
      env,
    );
    await fetch(`http://127.0.0.1:${port}/api/health/live`);
    return started;
  };
  // Two starts that are not measured create the database and fill the compile cache.
  for (const begin of [startService, startService]) await (await begin()).stop();

  const result = await measure({
    what,
    ours: starting("npm start", startService),
    others: [
      starting("next start alone, one response", startNext),
      starting("PostgreSQL alone", () => startPostgres({ dataDir })),
    ],
    rounds,
  });
  yield process.platform === "linux"
    ? { ...result, note: await idleMemory(startService, quick ? 0 : IDLE_MS) }
    : result;
};

/** Creates a contender that measures the start without the stop. */
function starting(name: string, start: () => Promise<Pick<Started, "stop">>): Contender {
  let latestMs = 0;
  return {
    name,
    async run() {
      const startedAt = performance.now();
      const started = await start();
      latestMs = performance.now() - startedAt;
      await started.stop();
    },
    ownMs: () => latestMs,
  };
}

async function idleMemory(startService: () => Promise<Started>, waitMs: number): Promise<string> {
  const { pid, stop } = await startService();
  await delay(waitMs);
  const groups: Record<string, number> = {};
  for (const { title, megabytes } of processTree(pid)) {
    const group = /^(npm|supervisor|web|worker|realtime)\b/.exec(title)?.[1] ?? "PostgreSQL";
    groups[group] = (groups[group] ?? 0) + megabytes;
  }
  await stop();
  const { npm = 0, ...own } = groups;
  const mb = (value: number) => `${Math.round(value)} MB`;
  const sum = Object.values(own).reduce((total, value) => total + value, 0);
  const parts = Object.entries(own).map(([group, value]) => `${group} ${mb(value)}`);
  return `idle, by PSS: ${mb(sum)} (${parts.join(", ")}), plus npm ${mb(npm)}`;
}

/**
 * Starts a program and waits until it has printed all of these texts.
 *
 * @throws {Error} with its output if it ends before that
 */
async function startUntil(
  texts: readonly string[],
  [program, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
): Promise<Started> {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true, // `stop` signals the whole group, like Ctrl-C, because npm forwards no signals.
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  const exited = once(child, "exit");
  const lines: string[] = [];
  const missing = new Set(texts);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const text of missing) if (line.includes(text)) missing.delete(text);
    if (missing.size === 0) resolve();
  });
  child.once("error", reject);
  exited.then(() => reject(new Error(`${program} ${args.join(" ")} ended:\n${lines.join("\n")}`)));
  await ready;
  return {
    pid: child.pid!,
    async stop() {
      process.kill(-child.pid!, "SIGINT");
      await exited;
    },
  };
}
