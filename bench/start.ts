import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#server/postgres/free-port";
import { startPostgres } from "#server/postgres/start-postgres";
import type { Benchmark } from "./benchmark.ts";
import { type Contender, measure } from "./measure.ts";
import { processTree } from "./process-tree.ts";
import { type Started, startUntil } from "./started.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const root = path.dirname(import.meta.dirname);
const idleMs = 10_000;

/** Web, worker, channel, and the supervisor that says when pages are answered. */
const everything = ["takes jobs", "[realtime]", "ready on "];

/** From the command to the last part that is ready, on a database that is there, beside two parts of it alone. */
export const start: Benchmark = async function* ({ quick, rounds }) {
  const what = "npm start, existing database, until web, worker and realtime are ready";
  if (!existsSync(path.join(root, ".next", "BUILD_ID"))) {
    yield { what, skipped: "the web pages are not built: npm run build" };
    return;
  }
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
  const service = () => startUntil(everything, ["npm", "start"], env);
  const next = async () => {
    const program = path.join(root, "node_modules/next/dist/bin/next");
    const started = await startUntil(
      ["Ready in"],
      [process.execPath, program, "start", "--port", String(port)],
      env,
    );
    await fetch(`http://127.0.0.1:${port}/api/health/live`);
    return started;
  };
  for (const begin of [service, service]) await (await begin()).stop(); // Makes the database; keeps what is compiled.

  const result = await measure({
    what,
    ours: starting("npm start", service),
    others: [
      starting("next start alone, one answer", next),
      starting("PostgreSQL alone", () => startPostgres({ dataDir })),
    ],
    rounds,
  });
  yield process.platform === "linux"
    ? { ...result, note: await idleMemory(service, quick ? 0 : idleMs) }
    : result;
};

/** Only the start counts, not the end. */
function starting(name: string, begin: () => Promise<Pick<Started, "stop">>): Contender {
  let latestMs = 0;
  return {
    name,
    async run() {
      const startedAt = performance.now();
      const started = await begin();
      latestMs = performance.now() - startedAt;
      await started.stop();
    },
    ownMs: () => latestMs,
  };
}

async function idleMemory(service: () => Promise<Started>, waitMs: number): Promise<string> {
  const { pid, stop } = await service();
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
  return `idle, by PSS: ${mb(sum)} (${parts.join(", ")}), and npm itself ${mb(npm)}`;
}
