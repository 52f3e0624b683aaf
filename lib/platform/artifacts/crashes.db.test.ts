import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { inArray, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { jobs } from "#db/schema/jobs";
import { openStates } from "#lib/platform/jobs/states";
import { store } from "#lib/platform/storage/store";
import { checkInvariants } from "#testing/invariants";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { startS3Server } from "#testing/s3-server";
import { checkStoredFiles } from "#testing/stored-files";
import { checkStore } from "./check-store.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { deleteOrphans } from "./delete-orphans.ts";

// `ARTIFACT_CRASHES=1000 npx vitest run lib/platform/artifacts/crashes`, and `SEED=` to repeat them. With
// `ARTIFACT_STORE=s3` the store is an S3 server.
const crashes = Number(process.env.ARTIFACT_CRASHES ?? 4);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
if (process.env.ARTIFACT_STORE === "s3") {
  const { endpoint, bucket, stop } = await startS3Server();
  process.env.S3_ENDPOINT = endpoint;
  process.env.STORAGE_URL = `s3://${bucket}`;
  afterAll(stop);
}
const { db, sql: raw, url } = await createTestDatabase();
const done: Record<string, number> = {};
afterAll(() => {
  if (crashes > 4) console.log(`${crashes} crashes, seed ${seed}; deeds that ended:`, done);
});

/** Loads the program, which takes longer than what it does then. */
function prepare(number: number): ChildProcess {
  return fork("testing/operations-until-killed.ts", [`${seed + number}`], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

/** A process does things at random, and is killed amid one of them. */
async function crash(child: ChildProcess, number: number): Promise<void> {
  const ended = once(child, "exit");
  let left = 1 + ((seed + 7 * number) % 25);
  child.on("message", (name: string) => {
    done[name] = (done[name] ?? 0) + 1;
    // Not between two deeds: several are under way at any time.
    if (left-- === 0) setTimeout(() => child.kill("SIGKILL"), (seed * number) % 40);
  });
  child.send("go on");
  expect((await ended)[1]).toBe("SIGKILL");
}

test(`the store holds exactly the files that rows reference, after ${crashes} random crashes (seed ${seed})`, {
  timeout: 60_000 + crashes * 60_000,
}, async () => {
  const pair = (number: number) => (number < crashes ? [prepare(number), prepare(number + 1)] : []);
  let next = pair(0);
  for (let number = 0; number < crashes; number += 2) {
    const two = next;
    next = pair(number + 2);
    await Promise.all(two.map((child, at) => crash(child, number + at)));
    await checkInvariants(raw);
  }
  for (;;) {
    const open = await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(inArray(jobs.status, [...openStates]));
    if (open.length === 0) break;
    for (const { id } of open) await runJobHere(id).catch(() => {}); // It is tried again.
  }
  await db.update(orphanedArtifacts).set({ dueAt: sql`now()`, attempts: 0 });
  await deleteOrphans(db);
  expect(await db.$count(orphanedArtifacts)).toBe(0);
  const report = await checkStore(db, store());
  expect(report).toMatchObject({ orphans: [], missing: [], damaged: [] });
  expect(await collectGarbage(db, { olderThanMs: 0, halfWrittenMs: -1 })).toBeLessThanOrEqual(3 * crashes);
  await checkStoredFiles(raw, store());
  await checkInvariants(raw);
});
