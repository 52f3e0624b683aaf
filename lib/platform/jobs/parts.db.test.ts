import { sql as statement } from "drizzle-orm";
import { expect, it } from "vitest";
import { recordOrphans } from "#lib/platform/artifacts/discard-artifacts";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { createTestDatabase } from "#testing/postgres";
import { partsQueue } from "./catalogue.ts";
import { jobSender } from "./job-sender.ts";
import { dropParts, findPart, type Part, partKey, sendParts, takePart } from "./parts.ts";

const { sql } = await createTestDatabase();
const db = database();
const boss = await jobSender();

/** Sends parts of a new job of a new project. */
async function send(count: number) {
  const job = { id: newId(), projectId: newId() };
  const parts = Array.from({ length: count }, (_, fit) => ({
    id: newId(),
    part: { jobId: job.id, projectId: job.projectId, inputKey: partKey(job, "input"), fit, version: 1 },
  }));
  const sendAgain = () => db.transaction((tx) => sendParts(tx, parts));
  await sendAgain();
  return { job, ids: parts.map(({ id }) => id), sendAgain };
}

async function takeNext(): Promise<string> {
  const [delivery] = await boss.fetch<Part>(partsQueue);
  return delivery!.id;
}

it("parts of another project alternate with those that wait", async () => {
  const { ids: first } = await send(5);
  expect([await takeNext(), await takeNext()]).toEqual(first.slice(0, 2));
  const { ids: second } = await send(3);
  const taken: string[] = [];
  for (let at = 0; at < 6; at++) taken.push(await takeNext());
  const firstOf = (ids: string[]) => taken.filter((id) => ids.includes(id));
  expect(firstOf(first)).toEqual(first.slice(2));
  expect(firstOf(second)).toEqual(second);
  for (const [at, id] of second.entries()) expect(taken.slice(0, 2 * at + 2)).toContain(id);
});

it("keeps completed parts when they are sent again, and takes only parts that no worker has begun", async () => {
  const { ids, sendAgain } = await send(2);
  const begun = await takeNext();
  await sql`update pgboss.job set state = 'completed', output = '{"key": "a/b"}' where id = ${begun}`;
  await sendAgain();
  expect(await findPart(db, begun)).toEqual({ state: "completed", key: "a/b" });
  expect(await takePart(db, begun)).toBe(false);
  expect([await takePart(db, ids[1]!), await findPart(db, ids[1]!)]).toEqual([true, null]);
});

it("the end of a job deletes its parts and makes their files orphans, and keeps those of others", async () => {
  const [ended, other] = [await send(2), await send(1)];
  const keys = [ended, other].map(({ job }) => partKey(job, "input"));
  await recordOrphans(db, keys, statement`now() + interval '1 hour'`);
  await db.transaction((tx) => dropParts(tx, ended.job));
  expect(await findPart(db, ended.ids[0]!)).toBeNull();
  expect(await findPart(db, other.ids[0]!)).toMatchObject({ state: "created" });
  const due = await sql`select key from orphaned_artifacts where due_at <= now()`;
  expect(due.map(({ key }) => key)).toEqual([keys[0]]);
});
