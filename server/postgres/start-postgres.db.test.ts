import { type ChildProcess, execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createDataFolder } from "#testing/run-folder";
import { processIdentity } from "./process-identity.ts";
import { type PostgresOptions, type RunningPostgres, startPostgres } from "./start-postgres.ts";

const asRoot = process.getuid?.() === 0;
let folder: string;
let dataDir: string;
const started: RunningPostgres[] = [];

/** Folder with a stopped cluster, for tests of later starts: creating one takes longer than they do. */
const template = createDataFolder("start-postgres-");
chmodSync(template, 0o755);
await (await startPostgres({ dataDir: path.join(template, "data"), durable: false })).stop();
afterAll(() => rmSync(template, { recursive: true }));
const copyCluster = () => execFileSync("cp", ["-a", path.join(template, "data"), dataDir]);

beforeEach(() => {
  folder = createDataFolder("start-postgres-");
  chmodSync(folder, 0o755);
  dataDir = path.join(folder, "data");
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(options?: Partial<PostgresOptions>): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, durable: false, ...options });
  started.push(server);
  return server;
}

async function query<T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}

test("rejects a cluster without PG_VERSION or without its password, and writes nothing", async () => {
  copyCluster();
  const secrets = path.join(dataDir, "secrets");
  const version = path.join(dataDir, "postgres", "PG_VERSION");
  const aside = path.join(folder, "aside");
  for (const [lost, message] of [
    [secrets, /secrets\/database-password is missing.*Restore the folder .*secrets/],
    [version, /PG_VERSION is missing\. Restore the whole folder/],
  ] as const) {
    renameSync(lost, aside);
    const before = readdirSync(dataDir, { recursive: true }).sort();
    await expect(start()).rejects.toThrow(message);
    expect(readdirSync(dataDir, { recursive: true }).sort()).toEqual(before);
    renameSync(aside, lost);
  }
  await start();
});

test("rejects a cluster of another major version of PostgreSQL, says how to move on, and changes nothing", async () => {
  copyCluster();
  const version = path.join(dataDir, "postgres", "PG_VERSION");
  const present = readFileSync(version, "utf8");
  writeFileSync(version, "17\n");
  const before = readdirSync(dataDir, { recursive: true }).sort();
  await expect(start()).rejects.toThrow(
    /has the format of PostgreSQL 17, and this version of the service has PostgreSQL \d+\. Start the version .* back up .* restore .* Nothing was changed\./,
  );
  expect(readdirSync(dataDir, { recursive: true }).sort()).toEqual(before);
  writeFileSync(version, present);
  await start();
});

const mayMount = asRoot && spawnSync("unshare", ["--mount", "true"]).status === 0;

test.runIf(mayMount)("names the full disk if the first start has no space for a cluster", () => {
  const source = new URL("./start-postgres.ts", import.meta.url).href;
  const run = `import(${JSON.stringify(source)}).then(({ startPostgres }) => startPostgres({ dataDir: process.argv[1] }))
    .then(() => console.log("started"), (error) => console.log(error.name, error.message)).finally(() => process.exit());`;
  const mount = 'mount -t tmpfs -o size=8m,mode=755 tmpfs "$1" && exec "$2" -e "$3" "$1/data"';
  const args = ["--mount", "sh", "-c", mount, "sh", folder, process.execPath, run];
  const { stdout } = spawnSync("unshare", args, { encoding: "utf8" });
  const postgres = path.join(dataDir, "postgres");
  const message = `The disk of ${postgres} is full. Free some space there, then start the service again.`;
  expect(stdout.trim()).toBe(`StartError ${message}`);
});

test("keeps data through a stop and a start", async () => {
  copyCluster();
  const first = await start();
  await query(first.url, (sql) => sql`create table kept as select 42 as answer`);
  await first.stop();
  const second = await start();
  expect(await query(second.url, (sql) => sql`select answer from kept`)).toEqual([{ answer: 42 }]);
});

test("creates a cluster with UTF-8, code point order and UTC", async () => {
  const { url } = await start();
  const [row] = await query(
    url,
    (sql) => sql`
      select datlocprovider = 'b' as builtin, pg_encoding_to_char(encoding) as encoding,
             current_setting('TimeZone') as zone, lower('ÄÖ') as folded, 'Z' < 'a' as by_code_point
      from pg_database where datname = current_database()`,
  );
  expect(row).toEqual({ builtin: true, encoding: "UTF8", zone: "UTC", folded: "äö", by_code_point: true });
});

test("rejects a wrong password, and stores the right one readable by the owner only", async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = "wrong";
  await expect(query(wrong.href, (sql) => sql`select 1`)).rejects.toMatchObject({ code: "28P01" });
  expect(statSync(path.join(dataDir, "secrets", "database-password")).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
});

test("starts despite a postmaster.pid with the id of another process, and leaves that process alone", async () => {
  copyCluster();
  writeFileSync(path.join(dataDir, "postgres", "postmaster.pid"), `${process.pid}\n`);
  const { url } = await start();
  expect(await query(url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("restarts a killed server on the same port with all committed data", async () => {
  copyCluster();
  const first = await start({ durable: true });
  await query(first.url, (sql) => sql`create table kept as select 1 as one`);
  process.kill(first.pid, "SIGKILL");
  await first.exited;
  const again = await start({ durable: true, port: first.port });
  expect(again.url).toBe(first.url);
  expect(await query(again.url, (sql) => sql`select one from kept`)).toEqual([{ one: 1 }]);
});

test("ends a session that still computes after its server was killed", async () => {
  copyCluster();
  const first = await start();
  const sql = postgres(first.url, { onnotice: () => {} });
  const endless = sql`do $$ begin loop end loop; end $$`.catch(() => "gone");
  const isBusy = () => sql`select from pg_stat_activity where state = 'active' and query like 'do %'`;
  await expect.poll(isBusy).toHaveLength(1);
  process.kill(first.pid, "SIGKILL");
  await first.exited;
  const again = await start({ port: first.port });
  expect(await query(again.url, (other) => other`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(await endless).toBe("gone");
  await sql.end({ timeout: 0 });
});

test("stops the server that a killed service left running", async () => {
  copyCluster();
  const script = path.join(folder, "holder.mts");
  const launcher = path.join(import.meta.dirname, "start-postgres.ts");
  writeFileSync(
    script,
    `import { startPostgres } from ${JSON.stringify(launcher)};
     const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
     process.send(pid);`,
  );
  const holder: ChildProcess = fork(script, { stdio: "ignore" });
  const [pid] = (await once(holder, "message")) as [number];
  expect(processIdentity(pid)).not.toBeNull();
  holder.kill("SIGKILL");
  const { url } = await start();
  expect(processIdentity(pid)).toBeNull();
  expect(await query(url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test.runIf(asRoot)(
  "as root, keeps the cluster outside of a data folder that PostgreSQL's user cannot enter",
  async () => {
    chmodSync(folder, 0o700);
    const first = await start();
    await query(first.url, (sql) => sql`create table kept as select 1 as one`);
    await first.stop();
    expect(existsSync(path.join(dataDir, "postgres"))).toBe(false);
    const elsewhere = readFileSync(path.join(dataDir, "postgres-folder"), "utf8").trim();
    try {
      expect(await query((await start()).url, (sql) => sql`select one from kept`)).toEqual([{ one: 1 }]);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    } finally {
      await Promise.all(started.splice(0).map((server) => server.stop()));
      rmSync(path.dirname(elsewhere), { recursive: true });
    }
  },
);
