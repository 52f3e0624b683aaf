import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { secretFile } from "#lib/platform/config/secrets";
import { StartError } from "#lib/platform/errors/start-errors";
import { type Account, canEnter, postgresAccount, runAs } from "./account.ts";
import { type Binaries, postgresBinaries } from "./binaries.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import { makeDataFolder } from "./data-folder.ts";
import { freePort } from "./free-port.ts";
import { initialiseCluster, postgresEnvironment, superuser } from "./initialise-cluster.ts";
import { newPublicFolder } from "./public-folder.ts";
import { requireWholeCluster } from "./require-whole-cluster.ts";

const host = "127.0.0.1";

export type RunningPostgres = {
  /** URL with the password. */
  url: string;
  port: number;
  pid: number;
  /** Resolves when the server has ended, stopped or crashed. */
  exited: Promise<void>;
  /** Ends open sessions, flushes all data and waits for the exit. */
  stop(): Promise<void>;
};

export type PostgresOptions = {
  /** Absolute path. The first start creates the cluster there. */
  dataDir: string;
  /** Port to reuse after a crash. Default: any free port. */
  port?: number;
  /** false disables durability after a power failure, for tests. */
  durable?: boolean;
  onLog?: (line: string) => void;
};

/**
 * Starts the PostgreSQL that npm installed, on the loopback interface. If this process runs as root, PostgreSQL runs as
 * another user. The caller must hold the claim of the data folder (`claimDataDir`): leftovers of an earlier server there
 * are removed.
 *
 * @throws {StartError} with PostgreSQL's message if it does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, durable = true, onLog = () => {} } = options;
  const folder = clusterFolder(dataDir, postgresAccount(path.join(dataDir, "postgres")));
  const account = postgresAccount(folder);
  const binaries = postgresBinaries(account);
  requireWholeCluster(folder, dataDir);
  const password = secretFile(dataDir, "database-password");
  initialiseCluster({ folder, password, account, binaries, durable });
  await clearLeftovers({ folder, account, binaries });

  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort(host));
    const server = launch({ folder, account, binaries, durable, port });
    const problem = await ready(server, onLog);
    if (problem === null) return running(server, port, password);
    // Another program may have taken the free port in the meantime.
    if (attempt === 5 || options.port !== undefined || !/could not bind/i.test(problem)) {
      throw new StartError(`PostgreSQL does not start on ${folder}: ${problem}`);
    }
  }
}

/** Settings for tests: no durability, and enough connections for test files that run in parallel. */
const forTests = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "400" };

type Launch = { folder: string; account: Account; binaries: Binaries; durable: boolean; port: number };

function launch({ folder, account, binaries, durable, port }: Launch): ChildProcess {
  const settings = {
    listen_addresses: host,
    port: String(port),
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    jit: "off",
    // No extra processes. Their name, "io worker", would match a search for the service's worker.
    io_method: "sync",
    ...(durable ? {} : forTests),
  };
  return spawn(
    binaries("postgres"),
    ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // Has its own process group. Otherwise Ctrl-C would stop it while other processes still use it.
    { ...runAs(account), env: postgresEnvironment, detached: true, stdio: ["ignore", "ignore", "pipe"] },
  );
}

/** Waits until the server accepts connections. Returns null, or the server's output if it ends before. */
function ready(server: ChildProcess, onLog: (line: string) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const output: string[] = [];
    server.once("error", (error) => resolve(error.message));
    server.once("close", () => resolve(output.join("\n")));
    createInterface({ input: server.stderr! }).on("line", (line) => {
      if (output.length < 50) output.push(line);
      onLog(line);
      if (line.includes("database system is ready to accept connections")) resolve(null);
    });
  });
}

function running(server: ChildProcess, port: number, password: string): RunningPostgres {
  const pid = server.pid!;
  const endWatch = interruptWhenParentDies(pid);
  const exited = once(server, "exit").then(() => void endWatch());
  return {
    url: `postgres://${superuser}:${password}@${host}:${port}/postgres`,
    port,
    pid,
    exited,
    async stop() {
      // Fast, then immediate shutdown: https://www.postgresql.org/docs/18/server-shutdown.html
      for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
        server.kill(signal);
        const outcome = await Promise.race([exited, delay(15_000, "late", { ref: false })]);
        if (outcome !== "late") return;
      }
    },
  };
}

/**
 * Interrupts another program when this process dies, even by kill -9. A shell waits for the end of a pipe that only
 * this process holds, then sends SIGINT to the program. Without a shell, the next start stops it (`clearLeftovers`).
 *
 * @returns a function that ends the watch; call it when the program ends, before the system reuses its process id
 */
function interruptWhenParentDies(pid: number): () => void {
  if (process.platform === "win32") return () => {};
  const watcher: ChildProcess = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', String(pid)], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => {}); // The system has no shell.
  watcher.unref();
  return () => watcher.kill("SIGKILL");
}

/**
 * Returns the folder of a data folder's cluster: `<dataDir>/postgres`. If root runs the service and PostgreSQL's user
 * cannot enter the data folder, it is a new folder under `/var/lib`. The file `<dataDir>/postgres-folder` then contains
 * its path, so that a new data folder at the same path never uses the old cluster.
 *
 * @param dataDir absolute path; created if missing
 */
function clusterFolder(dataDir: string, account: Account): string {
  makeDataFolder(dataDir);
  const inside = path.join(dataDir, "postgres");
  const pointer = path.join(dataDir, "postgres-folder");
  if (existsSync(pointer)) return readFileSync(pointer, "utf8").trim();
  if (existsSync(inside) || canEnter(account, dataDir)) return inside;
  const outside = path.join(newPublicFolder(account), "postgres");
  writeFileSync(pointer, `${outside}\n`, { flush: true });
  return outside;
}
