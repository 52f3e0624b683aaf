// `npm run fuzz -- --faults --seed 7 --minutes 10`: random calls of the real service under a seeded schedule of faults.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { checkInvariants } from "#testing/invariants";
import { callUntil } from "./callers.ts";
import { Client, type Exchange } from "./client.ts";
import { importUntil } from "./hostile.ts";
import { type Fault, faultLine, scheduleOf } from "./schedule.ts";
import { watchStalls } from "./stalls.ts";
import { type System, startSystem } from "./system.ts";
import { Written, writeUntil } from "./writers.ts";

/** A fault that happened, or a stall of the machine, with its times. */
type Cause = { kind: Fault["kind"] | "stall"; fromMs: number; untilMs: number };

/**
 * How long after its end a fault explains a 503: reconnecting, locks of sessions that a process left, and first calls
 * of a store that rejects the time of a changed clock.
 */
const afterMs = {
  kill: 15_000,
  cut: 10_000,
  flap: 15_000,
  full: 10_000,
  delay: 15_000,
  silence: 45_000,
  clock: 15_000,
  stall: 10_000,
};
/** 503 of a process whose clock is wrong, for the rest of the run: the channel rejects signatures with another time. */
const clockWords = /auth_timestamp/;
/** Time for all jobs to end after the last fault. Attempts of a dead worker restart after ten seconds. */
const settleMs = 180_000;

/** Output of the processes of the last run. */
const outputFile = path.resolve(import.meta.dirname, "..", "..", ".test-data", "faults.log");

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, minutes: { type: "string", default: "10" } },
});
const seed = Number(values.seed);
const durationMs = Number(values.minutes) * 60_000;

const exchanges: Exchange[] = [];
/** Of the caller with expensive models, whose requests may receive 503 for being too many. */
const hostileExchanges: Exchange[] = [];
const causes: Cause[] = [];
const problems: string[] = [];
const written = new Written();
const startedMs = Date.now();
const log = (text: string) =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6)} s  ${text}`);

log(`seed ${seed}, ${values.minutes} minutes: starting the service`);
const system = await startSystem();
const sql = postgres(system.databaseUrl, { max: 1, onnotice: () => {} });
try {
  const newClient = async (record = exchanges) => {
    const client = new Client(system.urls, (exchange) => void record.push(exchange));
    await client.signIn();
    return client;
  };
  const clients = await Promise.all(Array.from({ length: 5 }, () => newClient()));
  const projects = [];
  for (let count = 0; count < 5; count++) projects.push(await createTrained(clients[0]!, `Project ${count}`));
  const hostile = await newClient(hostileExchanges);
  const { projectId: hostileId } = await createTrained(hostile, "Hostile");
  const users = (await clients[0]!.insist<{ id: string }[]>("GET", "/members", undefined, null))!.data!;
  const [first, second, ...others] = projects as [Trained, Trained, Trained, Trained, Trained];
  const [own, upstream, stranger] = others.map(({ projectId }) => projectId) as [string, string, string];

  const stop = new AbortController();
  const work = [
    ...[first, first, second].map((trained, index) =>
      writeUntil(stop.signal, {
        client: clients[index]!,
        ...trained,
        written,
        random: seededRandom(seed * 100 + index),
      }),
    ),
    ...clients.slice(3).map((client, index) =>
      callUntil(stop.signal, {
        client,
        seed: seed * 1_000_000 + index * 500_000,
        projects: [own, upstream, stranger],
        excludedIds: [first.projectId, second.projectId, hostileId, ...users.map(({ id }) => id)],
      }),
    ),
    importUntil(stop.signal, {
      client: hostile,
      projectId: hostileId,
      random: seededRandom(seed * 100 + 50),
    }),
  ];
  await Promise.all([
    ...work,
    runSchedule(system, scheduleOf(seed, durationMs)).finally(() => stop.abort()),
    checkRepeatedly(stop.signal),
    watchStalls(system.databaseUrl, stop.signal, (fromMs, untilMs) => {
      causes.push({ kind: "stall", fromMs, untilMs });
    }),
  ]);
  log("waiting for all jobs");
  await allJobsEnded();
  await checkInvariants(sql);
  problems.push(...(await written.problems(sql)));
  problems.push(...(await system.storeProblems()));
} catch (error) {
  problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
problems.push(...unexplained(), ...deaths(), ...unhandled());
report();
mkdirSync(path.dirname(outputFile), { recursive: true });
writeFileSync(outputFile, system.output());
await sql.end({ timeout: 5 });
await system.stop();
process.exitCode = problems.length > 0 ? 1 : 0;

type Trained = { projectId: string; defaultCheckpointId: string };

/** Creates a project with a dataset, a model and a default checkpoint. */
async function createTrained(client: Client, name: string): Promise<Trained> {
  const ask = async <T>(method: string, path: string, body?: unknown) => {
    const answer = await client.insist<T>(method, path, body, null);
    if (answer?.data === undefined) throw new Error(`${method} ${path}: ${answer?.text}`);
    return answer.data;
  };
  const { id } = await ask<{ id: string }>("POST", "/projects", { name });
  const rows = Array.from({ length: 60 }, (_, row) => `${row},${2 * row + (row % 5)}`);
  const fileData = Buffer.from(`x,y\n${rows.join("\n")}`).toString("base64");
  await ask("PUT", `/projects/${id}/dataset`, { fileData, target: "y" });
  let defaultCheckpointId = "";
  for (const [path, body] of [
    ["models/train", { algorithm: "ridge" }],
    ["checkpoints", { setAsDefault: true }],
  ] as const) {
    type Made = { jobId: string; checkpointId?: string };
    const { jobId, checkpointId = "" } = await ask<Made>("POST", `/projects/${id}/${path}`, body);
    defaultCheckpointId = checkpointId;
    const status = async () => (await ask<{ status: string }>("GET", `/jobs/${jobId}`)).status;
    while (["Pending", "Running"].includes(await status())) await delay(100);
    if ((await status()) !== "Completed") throw new Error(`The job of ${path} ended as ${await status()}`);
  }
  return { projectId: id, defaultCheckpointId };
}

async function runSchedule(service: System, schedule: Fault[]): Promise<void> {
  const beginMs = Date.now();
  const running: Promise<void>[] = [];
  for (const fault of schedule) {
    await delay(Math.max(0, beginMs + fault.atMs - Date.now()));
    log(faultLine(fault));
    const cause: Cause = { kind: fault.kind, fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY };
    causes.push(cause);
    running.push(
      apply(service, fault).then(() => {
        cause.untilMs = Date.now();
      }),
    );
  }
  await Promise.all([...running, delay(Math.max(0, beginMs + durationMs - Date.now()))]);
}

async function apply(service: System, fault: Fault): Promise<void> {
  if (fault.kind === "kill") return service.kill(fault.process, fault.downMs);
  if (fault.kind === "clock") return service.setClock(fault.process, fault.aheadMs);
  if (fault.kind === "full") return service.fillStore(fault.forMs);
  const line = service.line(fault.line);
  if (fault.kind === "cut") return line.cut();
  if (fault.kind === "flap") {
    line.cutAfter(fault.bytes);
    line.cut();
  } else if (fault.kind === "silence") line.pause();
  else line.pauseAnswers();
  await delay(fault.forMs);
  line.resume();
}

/** Checks the invariants every ten seconds: they hold at any moment. */
async function checkRepeatedly(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(10_000, undefined, { signal }).catch(() => {});
    try {
      await checkInvariants(sql);
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith("The database is inconsistent")) problems.push(message);
    }
  }
}

async function allJobsEnded(): Promise<void> {
  for (const deadline = Date.now() + settleMs; ; await delay(500)) {
    const open = await sql`select id, type, status, attempt from jobs where finished_at is null`;
    if (open.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Jobs have not ended: ${JSON.stringify(open)}`);
  }
}

function explains(fromMs: number, toMs: number, text = ""): boolean {
  const earlier = causes.filter((cause) => cause.fromMs <= toMs);
  if (clockWords.test(text) && earlier.some(({ kind }) => kind === "clock")) return true;
  return earlier.some((cause) => fromMs <= cause.untilMs + afterMs[cause.kind]);
}

/** Returns the server errors, and the connections without a response, that no fault explains. */
function unexplained(): string[] {
  const wrong = hostileExchanges.filter(({ status }) => status !== null && status >= 500 && status !== 503);
  return [...exchanges, ...wrong]
    .filter(({ status }) => status === null || status >= 500)
    .filter(
      ({ fromMs, toMs, status, text }) =>
        (status !== null && status !== 503) || !explains(fromMs, toMs, text),
    )
    .map(({ fromMs, what, status, text }) => {
      const at = ((fromMs - startedMs) / 1_000).toFixed(1);
      return `at ${at} s without a cause: ${what.slice(0, 300)}: ${status ?? "no response"} ${text}`;
    });
}

/** Returns the processes that ended by themselves. No fault excuses that: they wait and reconnect. */
function deaths(): string[] {
  return system.deaths.map(
    ({ name, atMs }) => `${name} ended by itself at ${((atMs - startedMs) / 1_000).toFixed(1)} s`,
  );
}

/** Returns the log lines of errors that no code handles. They end a worker, and Next.js only logs those of a web process. */
function unhandled(): string[] {
  const lines = system.output().split("\n");
  return lines
    .filter((line) => /unhandledRejection|uncaughtException/i.test(line))
    .map((line) => line.slice(0, 500));
}

function report(): void {
  const count = (fits: (status: number) => boolean) =>
    exchanges.filter(({ status }) => status !== null && fits(status)).length;
  const kinds = Object.entries(Object.groupBy(causes, ({ kind }) => kind));
  log(`faults: ${kinds.map(([kind, list]) => `${kind} ${list!.length}`).join(", ")}`);
  const stalls = causes.filter(({ kind }) => kind === "stall").map(({ fromMs, untilMs }) => untilMs - fromMs);
  if (stalls.length > 0)
    log(
      `the machine is too busy: a small transaction took up to ${(Math.max(...stalls) / 1_000).toFixed(1)} s`,
    );
  const counts = {
    requests: exchanges.length,
    "hostile requests": hostileExchanges.length,
    "2xx": count((status) => status < 300),
    "4xx": count((status) => status >= 400 && status < 500),
    "503": count((status) => status === 503),
    "other 5xx": count((status) => status >= 500 && status !== 503),
    "no response": exchanges.filter(({ status }) => status === null).length,
    "outside of every cause": exchanges.filter(({ fromMs, toMs }) => !explains(fromMs, toMs)).length,
    "acknowledged creations": written.writes.filter(({ id }) => id !== null).length,
    jobs: written.jobs.length,
  };
  log(
    Object.entries(counts)
      .map(([name, number]) => `${name} ${number}`)
      .join(", "),
  );
  log(`output of the processes: ${outputFile}`);
  log(problems.length === 0 ? "passed" : `${problems.length} problems:\n${problems.slice(0, 40).join("\n")}`);
}
