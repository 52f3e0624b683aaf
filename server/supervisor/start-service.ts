import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createDatabase } from "#db/client";
import { migrate } from "#db/migrate";
import { user } from "#db/schema/users";
import { environment } from "#lib/platform/config/environment";
import { ownSecretWarning } from "#lib/platform/config/secrets";
import { recordDatabaseUrl } from "#lib/platform/database/database-url";
import { reasonOf } from "#lib/platform/errors/reason-of";
import { diskFull, StartError } from "#lib/platform/errors/start-errors";
import { isDiskFull } from "#lib/platform/health/disk-state";
import { RestartCount } from "#lib/platform/health/restarts";
import { usableSchemaState } from "#lib/platform/health/usable-schema-state";
import { nodeOptions, workerOptions } from "#server/node-options";
import { claimDataDir } from "#server/postgres/cluster-lock";
import { startPostgres } from "#server/postgres/start-postgres";
import { childEnvironment, reachable } from "./child-environment.ts";
import { requireFolder } from "./folders.ts";
import { keepRunning } from "./keep-running.ts";
import { chooseRealtimePort, requireDistinctPorts, requireFreePort } from "./ports.ts";
import { runToEnd } from "./run-to-end.ts";
import { startChild } from "./start-child.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

type Stop = () => Promise<void>;
type Log = (name: string, line: string) => void;

type Service = {
  /** Message for the person who started it. */
  message: string;
  /** Stops the parts in order: web and worker, realtime server, database. */
  stop: Stop;
};

type Options = { dev: boolean; log: Log; signal: AbortSignal };

const root = path.resolve(import.meta.dirname, "..", "..");
const scripts = path.join(root, "scripts");

/**
 * Starts all parts of the service except those that the environment configures elsewhere, and waits until it is ready.
 * Loads the demo on the first start. A part that ends restarts by itself, without effect on the others.
 *
 * @throws {StartError} with a message for the user, after all started parts have stopped
 */
export async function startService(options: Options): Promise<Service> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const message = await startParts(options, (end) => stops.push(end));
    return { message, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts({ dev, log, signal }: Options, onStop: (stop: Stop) => void): Promise<string> {
  const startedAt = performance.now();
  const settings = environment();
  const { dataDir, port, workerPort, bindAddress } = settings;
  if (!dev && !existsSync(path.join(root, ".next", "BUILD_ID"))) {
    throw new StartError(
      "The web pages are not built. Run npm run build first, or use npm run up, which includes the build.",
    );
  }
  const ownRealtimePort = settings.pusher === null ? settings.realtimePort : null;
  requireDistinctPorts({ PORT: port, REALTIME_PORT: ownRealtimePort, WORKER_PORT: workerPort });
  await requireFreePort("PORT", port, bindAddress);
  if (ownRealtimePort !== null) await requireFreePort("REALTIME_PORT", ownRealtimePort, bindAddress);
  if (workerPort !== null) await requireFreePort("WORKER_PORT", workerPort, bindAddress);
  requireFolder("DATA_DIR", dataDir);
  if (settings.storage.kind === "file") requireFolder("STORAGE_URL", settings.storage.folder);
  if (isDiskFull(dataDir)) throw diskFull(dataDir);
  const release = claimDataDir(dataDir);
  onStop(async () => release());
  const restarts = new RestartCount(dataDir);
  const onFailureOf = (name: string) => {
    restarts.add(name);
    return (message: string) => {
      restarts.increment(name);
      log(name, message);
    };
  };

  const databaseUrl =
    settings.databaseUrl ??
    (await startDatabase({
      dataDir,
      logLevel: settings.logLevel,
      log,
      onStop,
      onFailure: onFailureOf("postgres"),
    }));
  recordDatabaseUrl(dataDir, databaseUrl);
  await migrate(databaseUrl, usableSchemaState).catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    const where = settings.databaseUrl === null ? "The embedded database" : "The database of DATABASE_URL";
    throw new StartError(`${where} cannot be used: ${reasonOf(error)}`, { cause: error });
  });
  signal.throwIfAborted();

  const realtimePort =
    settings.pusher === null
      ? (settings.realtimePort ?? (await chooseRealtimePort(dataDir, bindAddress, [port, workerPort])))
      : null;
  const warning = ownSecretWarning(settings);
  if (warning !== null) log("service", warning);
  const env = childEnvironment(process.env, settings, { databaseUrl, realtimePort }, dev);
  const script = (name: string, args: string[] = []) => ({
    name,
    script: path.join(scripts, `${name}.ts`),
    args,
    env,
    execArgv: name === "worker" ? workerOptions : nodeOptions,
    log,
    stopMs: 10_000 + (settings.drainSeconds ?? 0) * 1_000,
  });
  const keep = (name: string, args: string[] = []) =>
    keepRunning({ start: () => startChild(script(name, args)), onFailure: onFailureOf(name) });
  if (realtimePort !== null) onStop(await keep("realtime"));
  const [stopWeb, stopWorker] = await Promise.all([keep("web", dev ? ["--dev"] : []), keep("worker")]);
  onStop(async () => {
    await Promise.all([stopWeb(), stopWorker()]);
  });

  const admin = settings.admin ? runToEnd(script("create-admin"), signal) : Promise.resolve();
  await Promise.all([
    admin.catch((error: unknown) => {
      signal.throwIfAborted();
      throw new StartError(`The admin of ADMIN_EMAIL could not be created: ${reasonOf(error)}`);
    }),
    waitUntilReady(`http://${reachable(bindAddress)}:${port}/api/health/ready`, signal),
  ]);
  const startMs = performance.now() - startedAt;
  const demoFailed = settings.demo && !(await loadDemo(dataDir, script("load-demo"), signal));
  return readyMessage({
    url: `http://${bindAddress === null ? "localhost" : reachable(bindAddress)}:${port}`,
    hasUsers: await hasUsers(databaseUrl),
    adminEmail: settings.admin?.email ?? null,
    demoFailed,
    startMs,
  });
}

async function startDatabase({
  dataDir,
  logLevel,
  log,
  onStop,
  onFailure,
}: {
  dataDir: string;
  logLevel: string;
  log: Log;
  onStop: (stop: Stop) => void;
  onFailure: (message: string) => void;
}): Promise<string> {
  const isVerbose = logLevel === "debug" || logLevel === "trace";
  const onLog = (line: string) => {
    if (isVerbose || /(FATAL|PANIC):/.test(line)) log("postgres", line);
  };
  let first: { url: string; port: number } | undefined;
  const stop = await keepRunning({
    start: async () => {
      const server = await startPostgres({ dataDir, onLog, ...(first ? { port: first.port } : {}) });
      first ??= server;
      return { exited: server.exited.then(() => "an error"), stop: server.stop };
    },
    onFailure,
  });
  onStop(stop);
  return first!.url;
}

/** Loads the demo, unless an earlier start has. Returns false if that fails; the service runs without the demo. */
async function loadDemo(
  dataDir: string,
  script: Parameters<typeof runToEnd>[0],
  signal: AbortSignal,
): Promise<boolean> {
  const done = path.join(dataDir, "demo-loaded");
  if (existsSync(done)) return true;
  script.log("service", "loading the demo (first start only; DEMO=0 skips it)");
  try {
    await runToEnd(script, signal);
  } catch (error) {
    signal.throwIfAborted();
    script.log("service", reasonOf(error));
    return false;
  }
  writeFileSync(done, "");
  return true;
}

/** Returns whether a user exists. If not, the page `/setup` creates the first admin. */
async function hasUsers(databaseUrl: string): Promise<boolean> {
  const { db, close } = createDatabase(databaseUrl, { max: 1 });
  try {
    return (await db.select({ id: user.id }).from(user).limit(1)).length > 0;
  } finally {
    await close();
  }
}

type Situation = {
  url: string;
  hasUsers: boolean;
  adminEmail: string | null;
  demoFailed: boolean;
  startMs: number;
};

/** Returns the last message of the start: the address of the service and the first steps. */
function readyMessage({ url, hasUsers, adminEmail, demoFailed, startMs }: Situation): string {
  const next = hasUsers
    ? `Sign in on ${url}/login${adminEmail === null ? "" : ` as ${adminEmail}`}.`
    : `Open ${url}/setup to create the first admin.`;
  return [
    `ready on ${url}`,
    "",
    `  ${next}`,
    `  The API is described on ${url}/docs.`,
    ...(demoFailed ? ["  The demo could not be loaded. The next start will retry."] : []),
    `  Started in ${(startMs / 1000).toFixed(1)} s. Ctrl-C stops everything.`,
    "",
  ].join("\n");
}
