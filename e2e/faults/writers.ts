import { createHash, randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { SeededRandom } from "#lib/engine/learners/seeded-random";
import type { Client } from "./client.ts";

/** A write with a unique mark. Unknown: no response arrived, so the write may exist, once. */
type Write = { kind: Kind; mark: string; id: string | null; jobId: string | null };
type Kind = "scenario" | "checkpoint" | "upload" | "key";

/** Everything that writers have sent, with the acknowledged results. */
export class Written {
  readonly writes: Write[] = [];
  /** Acknowledged titles of scenarios; several if the outcome of a later change is unknown. */
  readonly titles = new Map<string, Set<string>>();
  readonly deleted = new Set<string>();
  /** Scenarios and checkpoints whose deletion has an unknown outcome. */
  readonly perhapsDeleted = new Set<string>();
  readonly jobs: string[] = [];
  /** Valid creations that the service rejected. */
  readonly rejected: string[] = [];

  /** Returns the broken promises: acknowledged writes that are missing, and writes that happened twice. */
  async problems(sql: Sql): Promise<string[]> {
    const problems = this.rejected.map((rejection) => `rejected a valid creation: ${rejection}`);
    const jobs = await sql<{ id: string; status: string; code: string | null }[]>`
      select id::text, status,
        case when error_message ~ '^The (worker )?process ' then 'crashed' else error_code end as code
      from jobs where id = any(${this.jobs})`;
    const outcomes = new Map(
      jobs.map(({ id, status, code }) => [id, code === null ? status : `${status} ${code}`]),
    );
    for (const [kind, { table, column }] of Object.entries(places)) {
      const rows = await sql<{ id: string; mark: string }[]>`
        select id::text, ${sql(column)} as mark from ${sql(table)}`;
      const stored = new Map<string, string[]>();
      for (const { id, mark } of rows) stored.set(mark, [...(stored.get(mark) ?? []), id]);
      const ids = new Set(rows.map(({ id }) => id));
      for (const { mark, id, jobId } of this.writes.filter((write) => write.kind === kind)) {
        const found = stored.get(mark) ?? [];
        if (found.length > 1) problems.push(`${kind} ${mark} exists ${found.length} times`);
        if (id === null) continue;
        const isGone = !ids.has(id);
        if (this.deleted.has(id) && !isGone) problems.push(`${kind} ${mark} exists after its deletion`);
        // The reservation of a checkpoint ends with a job that failed.
        const hasFailed = kind === "checkpoint" && outcomes.get(jobId!)?.startsWith("Failed");
        if (!this.deleted.has(id) && !this.perhapsDeleted.has(id) && isGone && !hasFailed)
          problems.push(`${kind} ${mark} was acknowledged as ${id} and is missing`);
      }
    }
    const titles = await sql<{ id: string; title: string }[]>`select id::text, title from scenarios`;
    for (const { id, title } of titles) {
      const allowed = this.titles.get(id);
      if (allowed !== undefined && !allowed.has(title))
        problems.push(
          `scenario ${id} is titled ${title}, and the last acknowledged title is ${[...allowed].join(" or ")}`,
        );
    }
    for (const id of this.jobs) {
      const outcome = outcomes.get(id) ?? "missing";
      if (!allowedOutcome.test(outcome)) problems.push(`job ${id}: ${outcome}`);
    }
    return problems;
  }
}

/**
 * Ends of jobs under faults. A job whose attempts were all killed, or which found no store three times, fails. The
 * deletion of a scenario cancels its job.
 */
const allowedOutcome = /^(?:Completed|Cancelled.*|Failed (?:crashed|service_unavailable))$/;

/** Tables of the writes, with the column that holds the mark. */
const places: Record<Kind, { table: string; column: string }> = {
  scenario: { table: "scenarios", column: "description" },
  checkpoint: { table: "checkpoints", column: "description" },
  upload: { table: "uploads", column: "sha256" },
  key: { table: "api_keys", column: "name" },
};

const base64 = (text: string) => Buffer.from(text).toString("base64");

/**
 * Sends valid writes to one project until the signal, one after the other. Repeats each with the same `Idempotency-Key` until
 * a response arrives, as a careful program does.
 */
export async function writeUntil(
  signal: AbortSignal,
  {
    client,
    projectId,
    defaultCheckpointId,
    random,
    written,
  }: {
    client: Client;
    projectId: string;
    defaultCheckpointId: string;
    random: SeededRandom;
    written: Written;
  },
): Promise<void> {
  const project = `/projects/${projectId}`;
  const scenarios: string[] = [];
  const checkpoints: { id: string; jobId: string }[] = [];
  type Made = Record<string, string>;

  async function create(kind: Kind, mark: string, path: string, body: unknown): Promise<Made | null> {
    const write: Write = { kind, mark, id: null, jobId: null };
    written.writes.push(write);
    const key = randomUUID();
    const answer = await client.insist<Made>("POST", path, body, key);
    if (answer === null) return null;
    if (answer.data === undefined) {
      written.rejected.push(`${kind} ${mark}: ${answer.status} ${answer.text.slice(0, 300)}`);
      return null;
    }
    // As if the response had been lost. A second creation shows at the end, by its mark.
    if (random.below(4) === 0) await client.insist("POST", path, body, key);
    const { [`${kind}Id`]: id = answer.data.id, jobId } = answer.data;
    write.id = id!;
    if (jobId !== undefined) {
      written.jobs.push(jobId);
      write.jobId = jobId;
    }
    return answer.data;
  }

  async function remove(id: string, path: string): Promise<void> {
    written.perhapsDeleted.add(id);
    const answer = await client.insist("DELETE", path, undefined, null);
    if (answer?.status === 202) written.deleted.add(id);
    // 404 if an earlier attempt without a response deleted it, or if its job has not created it yet.
    else if (answer !== null && answer.status !== 404) written.perhapsDeleted.delete(id);
  }

  const deeds: (() => Promise<void>)[] = [
    async () => {
      const mark = randomUUID();
      const rows = Array.from({ length: 1 + random.below(300) }, (_, row) => row);
      const fileData = base64(`x\n${rows.join("\n")}`);
      // Without a checkpoint, the scenario would save one, and a project holds at most 20.
      const body = { title: "First", description: mark, checkpointId: defaultCheckpointId, fileData };
      const made = await create("scenario", mark, `${project}/scenarios`, body);
      if (made === null) return;
      scenarios.push(made.scenarioId!);
      written.titles.set(made.scenarioId!, new Set(["First"]));
    },
    async () => {
      const csv = `x\n${randomUUID()}\n${"1\n".repeat(random.below(20_000))}`;
      await create("upload", createHash("sha256").update(csv).digest("hex"), `${project}/uploads`, csv);
    },
    async () => {
      const id = scenarios[random.below(scenarios.length)];
      if (id === undefined) return;
      const title = `Title ${random.below(1_000_000)}`;
      const titles = written.titles.get(id)!;
      titles.add(title);
      const answer = await client.insist("PATCH", `${project}/scenarios/${id}`, { title }, null);
      if (answer?.status === 200) written.titles.set(id, new Set([title]));
      else if (answer !== null) titles.delete(title);
    },
    async () => {
      const mark = randomUUID();
      await create("key", mark, `${project}/api-keys`, { name: mark });
    },
    async () => {
      if (checkpoints.length > 3) {
        const [{ id, jobId }] = checkpoints as [(typeof checkpoints)[number]];
        // A checkpoint can be deleted once its job has ended. Before, a new one could exceed the limit of 20.
        const job = await client.insist<Made>("GET", `/jobs/${jobId}`, undefined, null);
        if (!["Completed", "Failed", "Cancelled"].includes(job?.data?.status ?? "")) return;
        checkpoints.shift();
        await remove(id, `${project}/checkpoints/${id}`);
      }
      const mark = randomUUID();
      const made = await create("checkpoint", mark, `${project}/checkpoints`, { description: mark });
      if (made !== null) checkpoints.push({ id: made.checkpointId!, jobId: made.jobId! });
    },
    async () => {
      const id = scenarios.length > 5 ? scenarios.shift() : undefined;
      if (id === undefined) return;
      written.titles.delete(id);
      await remove(id, `${project}/scenarios/${id}`);
    },
    async () => {
      const answer = await client.insist<Made>(
        ...(["POST", `${project}/models/train`, { algorithm: "ridge" }, randomUUID()] as const),
      );
      if (answer?.data?.jobId !== undefined) written.jobs.push(answer.data.jobId);
    },
  ];
  const often = [0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6];
  while (!signal.aborted) await deeds[often[random.below(often.length)]!]!();
}
