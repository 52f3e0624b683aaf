import { setTimeout as delay } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createDatabase, type Database } from "#db/client";
import { ConnectionPool } from "#db/pool/connection-pool";
import { checkpoints } from "#db/schema/checkpoints";
import { projects } from "#db/schema/projects";
import { IfMatch } from "#lib/api/response/precondition";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { updateCheckpoint } from "#lib/domain/checkpoints/update-checkpoint";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { newId } from "#lib/platform/ids/new-id";
import { createProject, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64 } from "#testing/scenario-factory";
import { leasedServingModel, requireServingChangeAnnounced } from "./serving-leases.ts";

// A request uses its checkpoint, else the default one. A caller who knows of a change, from the changing call or by
// reading, never gets predictions of the former model.

const { db, url } = await createTestDatabase();
const ctx = testContext();

async function projectWithCheckpoints(count: number): Promise<{ projectId: string; ids: string[] }> {
  const { id: projectId } = await createProject();
  await createModel({ projectId });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { checkpointId, jobId } = await createCheckpoint(ctx, { projectId, label: `Number ${n}` });
    await runJobHere(jobId);
    ids.push(checkpointId);
  }
  return { projectId, ids };
}

/** Removes announcements left by the creation of the project. */
const forgetAnnouncements = (projectId: string) =>
  db.update(projects).set({ servingChangesUntil: null }).where(eq(projects.id, projectId));

test("thousands of sequential requests send few queries while nothing changes", async () => {
  const { projectId, ids } = await projectWithCheckpoints(1);
  await forgetAnnouncements(projectId);
  const asked = vi.spyOn(ConnectionPool.prototype, "use");
  // A busy machine can take longer for a query than a lease lasts. Here, 5,000 requests take half a second.
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  for (let n = 0; n < 5_000; n++, nowMs += 0.1)
    expect((await leasedServingModel(db, projectId))?.checkpointId).toBe(ids[0]);
  expect(asked.mock.calls.length).toBeGreaterThan(0);
  expect(asked.mock.calls.length).toBeLessThan(50);
  clock.mockRestore();
  asked.mockRestore();
});

// Twenty changes beside four loops of queries take seconds, and up to a minute on a busy machine.
test("no process uses the former model once a change is visible", { timeout: 120_000 }, async () => {
  const { projectId, ids } = await projectWithCheckpoints(2);
  const processes = Array.from({ length: 2 }, () => createDatabase(url, { max: 3 }));
  const order = [ids[1]!];
  let over = false;
  const stale: string[] = [];
  /** Reads the serving model, then requests it again: the answer is never an earlier model. */
  const watch = async (process: Database) => {
    while (!over) {
      const seen = await defaultOf(process, projectId);
      const served = (await leasedServingModel(process, projectId))!.checkpointId!;
      if (served !== seen && (await defaultOf(process, projectId)) === seen) stale.push(`${seen} ${served}`);
      await delay(1);
    }
  };
  /** Takes leases continuously. */
  const traffic = async (process: Database) => {
    while (!over) {
      await leasedServingModel(process, projectId);
      await delay(0);
    }
  };
  const busy = processes.flatMap(({ db: process }) => [traffic(process), watch(process)]);
  try {
    await updateCheckpoint(ctx, { projectId, checkpointId: order[0]!, setAsDefault: true });
    for (let n = 0; n < 20; n++) {
      await forgetAnnouncements(projectId);
      await delay(20); // Lets leases start again.
      const checkpointId = ids[n % 2]!;
      await updateCheckpoint(ctx, { projectId, checkpointId, setAsDefault: true });
      for (const { db: process } of processes)
        expect((await leasedServingModel(process, projectId))?.checkpointId).toBe(checkpointId);
    }
    await forgetAnnouncements(projectId);
    await deleteCheckpoint(ctx, { projectId, checkpointId: ids[1]! });
    for (const { db: process } of processes)
      expect((await leasedServingModel(process, projectId))?.checkpointId).toBe(ids[0]);
  } finally {
    over = true;
    await Promise.all(busy);
    await Promise.all(processes.map((process) => process.close()));
  }
  expect(stale).toEqual([]);
});

test("announces nothing for a rejected change, or one that keeps the serving model", async () => {
  const { projectId, ids } = await projectWithCheckpoints(3);
  const [first, second, third] = ids as [string, string, string];
  await createScenario(ctx, {
    projectId,
    title: "Cold",
    checkpointId: first,
    fileData: base64("temp,wind\n1,2\n"),
  });
  await forgetAnnouncements(projectId);
  const stale = { ...ctx, precondition: new IfMatch('"stale"') };
  const rejected = (change: Promise<unknown>, code: string) => expect(change).rejects.toMatchObject({ code });
  await rejected(deleteCheckpoint(ctx, { projectId, checkpointId: first }), "checkpoint_in_use");
  await rejected(deleteCheckpoint(ctx, { projectId, checkpointId: newId() }), "checkpoint_not_found");
  await rejected(deleteCheckpoint(stale, { projectId, checkpointId: first }), "precondition_failed");
  const change = { projectId, checkpointId: second, setAsDefault: true };
  await rejected(updateCheckpoint(ctx, { ...change, label: "Number 2" }), "duplicate_label");
  await rejected(updateCheckpoint(ctx, { ...change, checkpointId: newId() }), "checkpoint_not_found");
  await rejected(updateCheckpoint(stale, change), "precondition_failed");
  await updateCheckpoint(ctx, { ...change, checkpointId: first });
  await deleteCheckpoint(ctx, { projectId, checkpointId: third });
  expect(await announcementOf(projectId)).toBeNull();
  await updateCheckpoint(ctx, change);
  expect(await announcementOf(projectId)).not.toBeNull();
  await forgetAnnouncements(projectId);
  await deleteCheckpoint(ctx, { projectId, checkpointId: second });
  expect(await announcementOf(projectId)).not.toBeNull();
});

test("rejects a change whose announcement ends soon", async () => {
  const { projectId } = await projectWithCheckpoints(1);
  const announce = (seconds: number) =>
    db
      .update(projects)
      .set({ servingChangesUntil: sql`clock_timestamp() + ${seconds} * interval '1 second'` })
      .where(eq(projects.id, projectId));
  await announce(50);
  await db.transaction((tx) => requireServingChangeAnnounced(tx, projectId));
  await announce(20);
  await expect(db.transaction((tx) => requireServingChangeAnnounced(tx, projectId))).rejects.toMatchObject({
    code: "service_unavailable",
    retryAfterSeconds: 1,
  });
});

async function announcementOf(projectId: string): Promise<Date | null> {
  const [row] = await db
    .select({ until: projects.servingChangesUntil })
    .from(projects)
    .where(eq(projects.id, projectId));
  return row!.until;
}

async function defaultOf(process: Database, projectId: string): Promise<string> {
  const [row] = await process
    .select({ id: checkpoints.id })
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.isDefault, true)));
  return row!.id;
}
