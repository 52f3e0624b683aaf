import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { secretFile } from "#lib/config/secret-file";
import { StartError } from "#lib/config/start-error";
import { type Account, postgresAccount, runAs } from "./account.ts";
import { type Binaries, postgresBinaries } from "./binaries.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import { clusterFolder } from "./cluster-folder.ts";
import { freePort } from "./free-port.ts";
import { initialiseCluster, postgresEnvironment, superuser } from "./initialise-cluster.ts";
import { interruptWhenParentDies } from "./watch-parent.ts";

const host = "127.0.0.1";

export type RunningPostgres = {
  /** With the password in it. */
  url: string;
  port: number;
  pid: number;
  /** Fulfilled when the server has ended, asked or not. */
  exited: Promise<void>;
  /** Ends open sessions, writes everything down and waits for the end. */
  stop(): Promise<void>;
};

export type PostgresOptions = {
  /** Absolute path; the cluster is made there on the first start. */
  dataDir: string;
  /** The port to take again after a crash; without it any free one. */
  port?: number;
  /** false gives up what makes data outlive a power cut, for tests. */
  durable?: boolean;
  onLog?: (line: string) => void;
};

/**
 * Starts the PostgreSQL that npm installed, on the loopback interface alone, as root under another user.
 * The caller holds the data folder (`claimDataDir`), so what is left of an earlier server there is cleared away.
 *
 * @throws {StartError} with PostgreSQL's own words where it does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, durable = true, onLog = () => {} } = options;
  const found = clusterFolder(dataDir, postgresAccount(path.join(dataDir, "postgres")));
  const account = postgresAccount(found);
  const binaries = postgresBinaries(account);
  const password = secretFile(dataDir, "database-password");
  initialiseCluster({ folder: found, password, account, binaries, durable });
  await clearLeftovers({ folder: found, account, binaries });

  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort(host));
    const server = launch({ folder: found, account, binaries, durable, port });
    const problem = await ready(server, onLog);
    if (problem === null) return running(server, port, password);
    // Between choosing a free port and listening on it another program may have taken it.
    if (attempt === 5 || options.port !== undefined || !/could not bind/i.test(problem)) {
      throw new StartError(`PostgreSQL does not start on ${found}: ${problem}`);
    }
  }
}

/** Nothing outlives a power cut; and files of tests run beside each other, each with storms of connections of its own. */
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
    // No extra processes; they would be called "io worker", and whoever looks for the service's worker would find them.
    io_method: "sync",
    ...(durable ? {} : forTests),
  };
  return spawn(
    binaries("postgres"),
    ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // In a process group of its own, or Ctrl-C would stop it under the feet of those that still use it.
    { ...runAs(account), env: postgresEnvironment, detached: true, stdio: ["ignore", "ignore", "pipe"] },
  );
}

/** @returns null once connections are accepted, or what the server said before it ended */
function ready(server: ChildProcess, onLog: (line: string) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const said: string[] = [];
    server.once("error", (error) => resolve(error.message));
    server.once("close", () => resolve(said.join("\n")));
    createInterface({ input: server.stderr! }).on("line", (line) => {
      if (said.length < 50) said.push(line);
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
        const deadline = Promise.withResolvers<"late">();
        const timer = setTimeout(() => deadline.resolve("late"), 15_000);
        const outcome = await Promise.race([exited, deadline.promise]);
        clearTimeout(timer);
        if (outcome !== "late") return;
      }
    },
  };
}
