import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import type { Job } from "#lib/contract/jobs";
import { checkInvariants } from "#testing/invariants";
import { type Cluster, type Host, startCluster } from "./hosts.ts";
import { admin, sessionCookie } from "./service.ts";

// Two web processes and three workers share one PostgreSQL and one S3, each on its own host. One host is cut off during
// the work.

const clusterSecrets = {
  AUTH_SECRET: "the-same-on-every-machine-of-this-test",
  PUSHER_SECRET: "the-secret-of-the-channel",
};

/**
 * Maximum time until all jobs end after a host is cut off. The shortest lease is ten seconds; a slow machine takes a minute
 * for the jobs themselves.
 */
const stuckMs = 150_000;

// Allows for a slow machine.
test.describe.configure({ timeout: 480_000 });

let cluster: Cluster;
let webs: Host[];
let workers: Host[];
let sql: Sql;
let cookie: string;

test.beforeAll(async () => {
  cluster = await startCluster(clusterSecrets);
  sql = postgres(cluster.databaseUrl, { max: 1, onnotice: () => {} });
  const start = (kind: "web" | "worker", count: number) =>
    Promise.all(Array.from({ length: count }, () => cluster.startHost(kind, { LOG_LEVEL: "info" })));
  [webs, workers] = await Promise.all([start("web", 2), start("worker", 3)]);
  // On a busy machine, a process that has just started may return 503 until it has connected to the database.
  await expect(async () => {
    cookie = await sessionCookie(webs[0]!.url);
  }).toPass({ timeout: 90_000 });
});

test.afterAll(async () => {
  await sql.end();
  await cluster.stop();
});

const ask = (web: Host, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${web.url}${path}`, {
    method,
    headers: { "Content-Type": "application/json", Origin: web.url, Cookie: cookie ?? "", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });

/**
 * Sends a request like a careful program: retries a 503 with the same key for up to a minute.
 *
 * @returns `data` of the response, which must be a success
 */
async function call<T>(web: Host, method: string, path: string, body?: unknown): Promise<T> {
  const key: Record<string, string> = method === "POST" ? { "Idempotency-Key": randomUUID() } : {};
  let text = "";
  const status = async () => {
    const answer = await ask(web, method, `/api/v1${path}`, body, key);
    text = await answer.text();
    return answer.status;
  };
  const failed = () => `${method} ${path}: ${text.slice(0, 500)}`;
  await expect.poll(status, { timeout: 60_000 }).not.toBe(503);
  expect(JSON.parse(text).success, failed()).toBe(true);
  return (JSON.parse(text) as { data: T }).data;
}

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** @returns the project's path, below `/api/v1` */
async function createProject(name: string, rows: number): Promise<string> {
  const { id } = await call<{ id: string }>(webs[0]!, "POST", "/projects", { name });
  const lines = Array.from({ length: rows }, (_, x) => `${x},${Math.sin(x / 9)},${2 * x + Math.cos(x)}`);
  const fileData = Buffer.from(["a,b,y", ...lines].join("\n")).toString("base64");
  await call(webs[1]!, "PUT", `/projects/${id}/dataset`, { fileData, target: "y" });
  return `/projects/${id}`;
}

const train = (web: Host, project: string, body: object = {}) =>
  call<{ jobId: string }>(web, "POST", `${project}/models/train`, body);

const jobs = (web: Host, project: string) =>
  call<Job[]>(web, "GET", `/jobs/project/${project.split("/").at(-1)}?limit=200`);

/** Returns all jobs of the projects after they have ended. */
async function ended(web: Host, projects: string[]): Promise<Job[]> {
  let all: Job[] = [];
  const open = async () => {
    all = (await Promise.all(projects.map((project) => jobs(web, project)))).flat();
    return all.filter(({ status }) => status === "Pending" || status === "Running").length;
  };
  try {
    await expect.poll(open, { timeout: stuckMs, intervals: [250] }).toBe(0);
  } catch (error) {
    throw new Error(`Still running: ${JSON.stringify(await underWay(), null, 1)}`, { cause: error });
  }
  return all;
}

const underWay = async () => ({
  jobs: await sql`select id, type, status, attempt, created_at::text, started_at::text from jobs
    where status in ('Pending', 'Running')`,
  deliveries: await sql`select data, state, retry_count, started_on::text, heartbeat_on::text from pgboss.job
    where state in ('created', 'retry', 'active')`,
  sessions:
    await sql`select pid, state, wait_event, state_change::text, pg_blocking_pids(pid) as blocked_by, query
    from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid()`,
  now: await sql`select now()::text`,
});

type Line = { msg: string; jobId?: string; type?: string };

/** Returns a host's parsed log lines. */
const log = (host: Host): Line[] =>
  host
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);

/** Returns the training that a worker has started and not finished. */
const trainingOf = (worker: Host): string | undefined => {
  const lines = log(worker).filter(({ type }) => type === "TrainModel");
  const last = lines.at(-1);
  return last?.msg === "begins" ? last.jobId : undefined;
};

test("completes jobs once on other hosts after a worker and a web host are cut off, and the hosts rejoin", async () => {
  const scored = await createProject("Scored", 40);
  await train(webs[0]!, scored, { algorithm: "ridge" });
  await ended(webs[1]!, [scored]);
  const saving = await call<{ checkpointId: string }>(webs[1]!, "POST", `${scored}/checkpoints`, {
    label: "One",
  });
  await ended(webs[0]!, [scored]);
  const trained = await times(3, (index) => createProject(`Trained ${index}`, 400));
  const projects = [scored, ...trained];

  const scenario = (web: Host, title: string) =>
    call(web, "POST", `${scored}/scenarios`, {
      title,
      checkpointId: saving.checkpointId,
      fileData: Buffer.from("a,b\n1,2\n3,4").toString("base64"),
    });
  await times(4, (index) =>
    call(webs[index % 2]!, "POST", `${scored}/checkpoints`, { label: `Of ${index}` }),
  );
  await times(8, (index) => scenario(webs[index % 2]!, `Before ${index}`));
  await Promise.all(trained.map((project, index) => train(webs[index % 2]!, project)));
  const training = () => workers.find(trainingOf);
  await expect.poll(training, { timeout: stuckMs, intervals: [50] }).toBeDefined();
  const cut = training()!;
  cut.cutOff();
  webs[0]!.cutOff();
  const lost = trainingOf(cut)!;

  // The other web process continues normally.
  await times(8, (index) => scenario(webs[1]!, `Meanwhile ${index}`));
  const done = await ended(webs[1]!, projects);
  expect(done.filter(({ status }) => status !== "Completed")).toEqual([]);
  const readiness = async (host: Host) => (await ask(host, "GET", "/api/health/ready")).status;
  expect(await readiness(webs[0]!)).toBe(503);
  expect(await readiness(cut)).toBe(503);
  await expect.poll(() => readiness(webs[1]!)).toBe(200);

  // Delayed results of the cut-off hosts change nothing.
  const rows = () => sql`select id, attempt, status, finished_at::text from jobs order by id`;
  const before = await rows();
  cut.rejoin();
  webs[0]!.rejoin();
  await expect.poll(() => readiness(webs[0]!), { timeout: 30_000 }).toBe(200);
  await expect.poll(() => readiness(cut), { timeout: 30_000 }).toBe(200);
  await expect.poll(() => trainingOf(cut), { timeout: 60_000 }).toBeUndefined();
  expect(await rows()).toEqual(before);
  expect(before.find(({ id }) => id === lost)!.attempt).toBeGreaterThanOrEqual(2);

  // The hosts process jobs again.
  const beginnings = () => log(cut).filter(({ msg }) => msg === "begins").length;
  const known = beginnings();
  let count = 0;
  const moreBegin = async () => {
    await times(4, () => scenario(webs[0]!, `Later ${count++}`));
    return beginnings();
  };
  await expect.poll(moreBegin, { timeout: 60_000 }).toBeGreaterThan(known);
  await ended(webs[0]!, projects);

  await expectNothingDouble();
});

/**
 * Asserts one end per job, one model per training, one set of predictions per scenario, and that each event was sent.
 */
async function expectNothingDouble(): Promise<void> {
  await checkInvariants(sql);
  const twice = await sql`
    select payload->>'jobId' as job, count(*) from outbox_events
    where name = 'job-updated' and payload->>'status' in ('Completed', 'Failed', 'Cancelled')
    group by 1 having count(*) <> 1`;
  expect([...twice]).toEqual([]);
  const models = await sql`select project_id, count(*)::int from models group by 1 having count(*) <> 1`;
  expect([...models]).toEqual([]);
  const waiting = async () =>
    (await sql`select count(*)::int as count from outbox_events where published_at is null`)[0]!.count;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
}

test("logs no password, key, session or secret in any error case", async () => {
  const wrongStore = { AWS_SECRET_ACCESS_KEY: "wrong-secret-of-the-store", LOG_LEVEL: "trace" };
  const web = await cluster.startHost("web", wrongStore);
  const project = await createProject("Secrets", 40);
  const { key } = await call<{ key: string }>(webs[0]!, "POST", `${project}/api-keys`, { name: "Logged" });
  const send = (path: string, headers: Record<string, string>, body?: string) =>
    fetch(`${web.url}${path}`, { method: body ? "POST" : "GET", headers, ...(body ? { body } : {}) });
  const json = { "Content-Type": "application/json", Origin: web.url };
  const wrong = { email: admin.email, password: "a-wrong-password-of-a-person" };
  await send("/api/auth/sign-in/email", json, JSON.stringify(wrong));
  await send("/api/auth/sign-in/email", json, JSON.stringify({ ...wrong, password: admin.password, x: 1 }));
  await send(`/api/v1/me?key=${key}`, { "X-API-Key": key });
  await send(`/api/v1/${key}`, { "X-API-Key": `${key}x` });
  await send(`/api/v1${project}/predict`, { ...json, Cookie: cookie }, `{"password":"${admin.password}"`);
  await send(`/projects/${key}`, { Cookie: cookie });
  await send(`/api/v1${project}/dataset/rows`, { Cookie: cookie });
  web.cutOff();
  await send("/api/health/ready", { "X-API-Key": key, Cookie: cookie });
  await send("/api/v1/me", { "X-API-Key": key, Cookie: cookie });
  web.rejoin();
  const rejected = cluster.command("worker.ts", [], {
    DATABASE_URL: "mysql://u:a-password-of-the-database@h/d",
  });
  const printed = await rejected.then(String, (error) => String(error.stderr));
  expect(printed).toContain("DATABASE_URL is (not shown)");

  const lines = [web, ...webs, ...workers].flatMap((host) => host.output().split("\n"));
  expect(lines.filter((line) => !line.startsWith("{"))).toEqual([]);
  const output = lines.join("\n") + printed;
  const secrets = {
    database: new URL(cluster.databaseUrl).password,
    admin: admin.password,
    wrong: wrong.password,
    key,
    store: wrongStore.AWS_SECRET_ACCESS_KEY,
    other: "a-password-of-the-database",
    ...clusterSecrets,
    session: decodeURIComponent(/session_token=([^;.]+)/.exec(cookie)![1]!),
  };
  for (const [name, secret] of Object.entries(secrets)) expect(output.includes(secret), name).toBe(false);
  expect(output).toContain('"operation":"createProject"');
});
