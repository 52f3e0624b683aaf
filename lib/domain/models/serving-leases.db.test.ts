import { setTimeout as delay } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createDatabase, type Database } from "#db/client";
import { ConnectionPool } from "#db/pool/connection-pool";
import { checkpoints } from "#db/schema/checkpoints";
import { projects } from "#db/schema/projects";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { updateCheckpoint } from "#lib/domain/checkpoints/update-checkpoint";
import { leasedServingModel, requireAnnounced } from "#lib/models/serving-leases";
import { createProject, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";

// Interface, section 3: "One checkpoint is the default"; contract, section 7: "Model: that checkpoint; else the default".
// Whoever knows of a change, from the call that made it or because he saw it, is served by what serves since.

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

/** Past the announcements that making the project has left behind. */
const forgetAnnouncements = (projectId: string) =>
  db.update(projects).set({ servingChangesUntil: null }).where(eq(projects.id, projectId));

test("where nobody changes anything, thousands of questions in a row ask the database a few times", async () => {
  const { projectId, ids } = await projectWithCheckpoints(1);
  await forgetAnnouncements(projectId);
  const asked = vi.spyOn(ConnectionPool.prototype, "use");
  for (let n = 0; n < 5_000; n++)
    expect((await leasedServingModel(db, projectId))?.checkpointId).toBe(ids[0]);
  expect(asked.mock.calls.length).toBeGreaterThan(0);
  expect(asked.mock.calls.length).toBeLessThan(1_000);
  asked.mockRestore();
});

test("once a change is seen, no process serves what served before it", async () => {
  const { projectId, ids } = await projectWithCheckpoints(2);
  const processes = Array.from({ length: 2 }, () => createDatabase(url, { max: 3 }));
  const order = [ids[1]!];
  let over = false;
  const stale: string[] = [];
  /** Reads what serves, and then asks for what serves: never for what served earlier. */
  const watch = async (process: Database) => {
    while (!over) {
      const seen = await defaultOf(process, projectId);
      const served = (await leasedServingModel(process, projectId))!.checkpointId!;
      if (served !== seen && (await defaultOf(process, projectId)) === seen) stale.push(`${seen} ${served}`);
      await delay(1);
    }
  };
  /** Keeps leases taken all the time. */
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
      await delay(20); // Until leases are taken again.
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

test("a change whose announcement ends soon is not made", async () => {
  const { projectId } = await projectWithCheckpoints(1);
  const announce = (seconds: number) =>
    db
      .update(projects)
      .set({ servingChangesUntil: sql`clock_timestamp() + ${seconds} * interval '1 second'` })
      .where(eq(projects.id, projectId));
  await announce(50);
  await db.transaction((tx) => requireAnnounced(tx, projectId));
  await announce(20);
  await expect(db.transaction((tx) => requireAnnounced(tx, projectId))).rejects.toMatchObject({
    code: "service_unavailable",
  });
});

async function defaultOf(process: Database, projectId: string): Promise<string> {
  const [row] = await process
    .select({ id: checkpoints.id })
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.isDefault, true)));
  return row!.id;
}
