import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CrashingPostgres, startCrashingPostgres } from "#testing/crashing-postgres";
import { startS3Server } from "#testing/s3-server";
import { startTcpProxy, type TcpProxy } from "#testing/tcp-proxy";
import { ownPort } from "../own-port.ts";
import { admin, start, type TestService } from "../service.ts";
import type { Line, ProcessName } from "./schedule.ts";

/** The real service: two web processes and two workers, each behind its own proxies, PostgreSQL, S3 and realtime. */
export type System = {
  databaseUrl: string;
  /** Address of each web process, for callers. */
  urls: string[];
  /** Kills a process, and starts it again after a time. Resolves when it is ready. */
  kill(name: ProcessName, downMs: number): Promise<void>;
  line(line: Line): TcpProxy;
  /** Makes the store reject new objects for a time. */
  fillStore(forMs: number): Promise<void>;
  /** Steps the clock of a process, for the rest of its life and the lives after it. */
  setClock(host: Line["host"], aheadMs: number): void;
  /** Times at which a process ended by itself. */
  deaths: { name: string; atMs: number }[];
  /** Returns artifacts that are missing, damaged or owned by no row. */
  storeProblems(): Promise<string[]>;
  output(): string;
  stop(): Promise<void>;
};

type Part = {
  launch(): Promise<TestService>;
  running: TestService;
  /** Output of processes that have ended. */
  outputs: string[];
  isDown: boolean;
};
type HostName = Line["host"];

const addressOf = (url: string) => {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port) };
};

const clock = new URL("./clock.ts", import.meta.url).href;

export async function startSystem(): Promise<System> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "faults-"));
  const postgres = await startCrashingPostgres();
  const s3 = await startS3Server();
  const realtimePort = String(await ownPort());
  const shared = {
    DATABASE_URL: postgres.url,
    STORAGE_URL: `s3://${s3.bucket}/service`,
    S3_ENDPOINT: s3.endpoint,
    PUSHER_APP_ID: "faults",
    PUSHER_KEY: "faults-key",
    PUSHER_SECRET: "the-secret-of-the-channel",
    PUSHER_HOST: "127.0.0.1",
    PUSHER_PORT: realtimePort,
    PUSHER_USE_TLS: "0",
    REALTIME_PORT: realtimePort,
    AUTH_SECRET: "the-same-in-every-process-of-this-run",
    RATE_LIMIT_PER_MINUTE: "1000000",
    RATE_LIMIT_BURST: "1000000",
  };
  const clockFile = (host: HostName) => path.join(folder, `${host}.clock`);
  const parts = new Map<string, Part>();
  const lines = new Map<string, TcpProxy>();
  const add = async (name: ProcessName, launch: Part["launch"]) => {
    const part: Part = { launch, running: await launch(), outputs: [], isDown: false };
    parts.set(name, part);
    watchPart(name, part);
  };
  const deaths: System["deaths"] = [];
  let isStopping = false;
  function watchPart(name: string, part: Part): void {
    part.running.exited.then(async () => {
      if (isStopping || part.isDown) return;
      deaths.push({ name, atMs: Date.now() });
      await restart(name, part, 0);
    });
  }
  /** Starts a part again, also if it ends before it is ready, as the supervisor does. */
  async function restart(name: string, part: Part, downMs: number): Promise<void> {
    part.isDown = true;
    await part.running.exited;
    part.outputs.push(part.running.output());
    await delay(downMs);
    for (let attempt = 1; part.isDown && !isStopping; attempt++) {
      try {
        part.running = await part.launch();
        part.isDown = false;
      } catch (error) {
        if (attempt === 20) throw error;
        await delay(500);
      }
    }
    watchPart(name, part);
  }
  async function killPart(name: string, downMs: number): Promise<void> {
    const part = parts.get(name)!;
    if (part.isDown) return;
    process.kill(part.running.pid, "SIGKILL");
    await restart(name, part, downMs);
  }
  await add("realtime", () => start("realtime.ts", "listening on", shared));
  const urls: string[] = [];

  async function addHost(name: HostName): Promise<void> {
    const isWeb = name.startsWith("web");
    const port = String(await ownPort());
    const callee = { host: "127.0.0.1", port: Number(port) };
    const [database, store, channel, callers] = await Promise.all([
      startTcpProxy(addressOf(postgres.url)),
      startTcpProxy(addressOf(s3.endpoint)),
      startTcpProxy({ host: "127.0.0.1", port: Number(realtimePort) }),
      startTcpProxy(callee),
    ]);
    for (const [end, proxy] of Object.entries({ database, store, channel, callers }))
      lines.set(`${name} ${end}`, proxy);
    const environment = {
      ...shared,
      DATA_DIR: path.join(folder, name),
      DATABASE_URL: database.via(postgres.url),
      S3_ENDPOINT: `http://${store.host}:${store.port}`,
      PUSHER_PORT: String(channel.port),
      NODE_OPTIONS: `--import=${clock}`,
      CLOCK_FILE: clockFile(name),
      // The writers send more files than scenarios use. A refusal would be no broken promise.
      QUOTA_OPEN_UPLOADS: "100000",
      [isWeb ? "PORT" : "WORKER_PORT"]: port,
    };
    await add(name, () =>
      isWeb ? start("web.ts", "listening on", environment) : start("worker.ts", "takes jobs", environment),
    );
    if (isWeb) urls.push(`http://${callers.host}:${callers.port}`);
  }

  const setUp = { ...shared, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
  const created = await start("create-admin.ts", "created the admin", {
    ...setUp,
    DATA_DIR: path.join(folder, "setup"),
  });
  await created.exited;
  for (const name of ["web-0", "web-1", "worker-0", "worker-1"] as const) await addHost(name);

  return {
    databaseUrl: postgres.url,
    urls,
    deaths,
    kill: (name, downMs) => (name === "database" ? killDatabase(postgres, downMs) : killPart(name, downMs)),
    async fillStore(forMs) {
      s3.setFull(true);
      await delay(forMs);
      s3.setFull(false);
    },
    setClock(host, aheadMs) {
      writeFileSync(clockFile(host), String(aheadMs));
      const { isDown, running } = parts.get(host)!;
      if (!isDown) process.kill(running.pid, "SIGUSR2");
    },
    line: ({ host, end }) => lines.get(`${host} ${end}`)!,
    async storeProblems() {
      const settings = { ...shared, DATA_DIR: path.join(folder, "check") };
      const check = await start("storage-check.ts", "folders are owned", settings);
      await check.exited;
      return check
        .output()
        .split("\n")
        .filter((line) => /^(?:orphan|missing|damaged) /.test(line));
    },
    output: () =>
      [...parts]
        .map(([name, { running, outputs }]) => `── ${name}\n${[...outputs, running.output()].join("\n")}`)
        .join("\n"),
    async stop() {
      isStopping = true;
      for (const proxy of lines.values()) proxy.resume();
      const { realtime, ...hosts } = Object.fromEntries(
        [...parts].map(([name, { running }]) => [name, running]),
      );
      await Promise.all(Object.values(hosts).map((running) => running.stop()));
      await realtime!.stop();
      await Promise.all([...lines.values()].map((proxy) => proxy.close()));
      await s3.stop();
      await postgres[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let isDatabaseDown = false;

async function killDatabase(postgres: CrashingPostgres, downMs: number): Promise<void> {
  if (isDatabaseDown) return;
  isDatabaseDown = true;
  postgres.crash();
  await delay(downMs);
  await postgres.restart();
  isDatabaseDown = false;
}
