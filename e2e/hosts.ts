import { execFile } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { createDataFolder } from "#testing/run-folder";
import { startS3Server } from "#testing/s3-server";
import { startTcpProxy, type TcpProxy } from "#testing/tcp-proxy";
import { startPostgres } from "../server/postgres/start-postgres.ts";
import { ownPort } from "./own-port.ts";
import { admin, start } from "./service.ts";

/** Environment shared by all hosts. */
export type Cluster = {
  databaseUrl: string;
  /** Runs a command of the service to completion and returns its output. */
  command(script: string, args?: string[], environment?: Record<string, string>): Promise<string>;
  startHost(kind: "web" | "worker", environment?: Record<string, string>): Promise<Host>;
  stop(): Promise<void>;
};

/** Process with its own files. Reaches PostgreSQL, S3 and realtime through its own proxies, which tests can cut. */
export type Host = {
  /** URL of its pages and API, or of its probes. */
  url: string;
  output(): string;
  /** Cuts all connections silently: they stay open but carry no data. */
  cutOff(): void;
  rejoin(): void;
  stop(): Promise<void>;
};

const scripts = path.resolve(import.meta.dirname, "..", "scripts");
const run = promisify(execFile);

/** Starts PostgreSQL, S3 and the realtime server, with the schema and the first admin; `secrets` are their secrets. */
export async function startCluster(secrets: {
  AUTH_SECRET: string;
  PUSHER_SECRET: string;
}): Promise<Cluster> {
  const folder = createDataFolder("hosts-");
  chmodSync(folder, 0o755);
  const postgres = await startPostgres({ dataDir: path.join(folder, "postgres"), durable: false });
  const s3 = await startS3Server();
  const realtimePort = await ownPort();
  const shared = {
    DATABASE_URL: postgres.url,
    STORAGE_URL: `s3://${s3.bucket}/service`,
    S3_ENDPOINT: s3.endpoint,
    PUSHER_APP_ID: "hosts",
    PUSHER_KEY: "hosts-key",
    PUSHER_HOST: "127.0.0.1",
    PUSHER_PORT: String(realtimePort),
    PUSHER_USE_TLS: "0",
    REALTIME_PORT: String(realtimePort),
    ...secrets,
  };
  const command: Cluster["command"] = async (script, args = [], more = {}) => {
    const { stdout, stderr } = await run(process.execPath, [path.join(scripts, script), ...args], {
      env: {
        ...process.env,
        NODE_ENV: "production",
        ...shared,
        DATA_DIR: path.join(folder, "commands"),
        ...more,
      },
    });
    return stdout + stderr;
  };
  await Promise.all([command("migrate.ts"), command("migrate.ts")]);
  await command("create-admin.ts", [], { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
  const realtime = await start("realtime.ts", "listening on", shared);

  const hosts: { stop(): Promise<void> }[] = [];
  const startHost: Cluster["startHost"] = async (kind, environment = {}) => {
    const ways = await Promise.all(
      [postgres.url, s3.endpoint, `http://127.0.0.1:${realtimePort}`].map((url) =>
        startTcpProxy(addressOf(url)),
      ),
    );
    const [database, store, channel] = ways as [TcpProxy, TcpProxy, TcpProxy];
    const port = String(await ownPort());
    const isWeb = kind === "web";
    const host = await start(isWeb ? "web.ts" : "worker.ts", isWeb ? "listening on" : "takes jobs", {
      ...shared,
      DATA_DIR: path.join(folder, `host-${hosts.length}`),
      DATABASE_URL: database.via(postgres.url),
      S3_ENDPOINT: `http://${store.host}:${store.port}`,
      PUSHER_PORT: String(channel.port),
      [isWeb ? "PORT" : "WORKER_PORT"]: port,
      ...environment,
    });
    let stopping: Promise<unknown> | undefined;
    const stop = async () => {
      for (const way of ways) way.resume();
      stopping ??= host.stop().then(() => Promise.all(ways.map((way) => way.close())));
      await stopping;
    };
    hosts.push({ stop });
    const each = (act: (way: TcpProxy) => void) => () => ways.forEach(act);
    return {
      url: `http://127.0.0.1:${port}`,
      output: host.output,
      cutOff: each((way) => way.pause()),
      rejoin: each((way) => way.resume()),
      stop,
    };
  };
  const stop = async () => {
    await Promise.all(hosts.map((host) => host.stop()));
    await realtime.stop();
    await s3.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { databaseUrl: postgres.url, command, startHost, stop };
}

const addressOf = (url: string) => {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port) };
};
