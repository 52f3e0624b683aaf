import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { uploads } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import { environment } from "#lib/platform/config/environment";
import { newId } from "#lib/platform/ids/new-id";
import { LocalStore } from "#lib/platform/storage/local-store";
import { store } from "#lib/platform/storage/store";
import { createProject } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { checkStore } from "./check-store.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { deleteOrphans } from "./delete-orphans.ts";
import { type ReleaseClaim, writeArtifacts } from "./write-artifacts.ts";

const { db } = await createTestDatabase();
let projectId: string;
let key: string;
beforeEach(async () => {
  projectId = (await createProject()).id;
  key = `projects/${projectId}/uploads/${newId()}`;
});

const write = (at = key) => store().writeFolder(at, new Map([["content", Buffer.from("1")]]));
/** The owner's transaction. */
const own = async (
  releaseClaim: ReleaseClaim,
  { artifactKey = key, beforeCommit }: { artifactKey?: string; beforeCommit?: () => Promise<void> } = {},
) =>
  db.transaction(async (tx) => {
    await releaseClaim(tx);
    const row = { id: newId(), projectId, bytes: 1, sha256: "0", artifactKey, createdBy: "x" };
    await tx.insert(uploads).values(row);
    await beforeCommit?.();
  });
const makeDue = () => db.update(orphanedArtifacts).set({ dueAt: sql`now() - interval '1 second'` });
const orphan = () => db.select().from(orphanedArtifacts).where(eq(orphanedArtifacts.key, key));

test("keeps claimed folders, and deletes unclaimed ones once they are due", async () => {
  await writeArtifacts(db, [key], async (releaseClaim) => {
    await write();
    await own(releaseClaim);
  });
  expect(await orphan()).toEqual([]);
  const dead = `projects/${projectId}/uploads/${newId()}`;
  // As a process leaves it that was killed before its commit.
  await writeArtifacts(db, [dead], () => write(dead));
  expect(await keptFolders(`projects/${projectId}`)).toEqual([key, dead].sort());
  await makeDue();
  expect(await keptFolders(`projects/${projectId}`)).toEqual([key]);
});

test("keeps or deletes the files by the outcome of the commit if the connection is lost during it", async () => {
  const lost = writeArtifacts(db, [key], async (releaseClaim) => {
    await write();
    await own(releaseClaim);
    throw new Error("The connection was lost.");
  });
  await expect(lost).rejects.toThrow("lost");
  expect(await keptFolders(`projects/${projectId}`)).toEqual([key]);

  const other = `projects/${projectId}/uploads/${newId()}`;
  const undone = writeArtifacts(db, [other], async (releaseClaim) => {
    await write(other);
    const beforeCommit = () => Promise.reject(new Error("The connection was lost."));
    await own(releaseClaim, { artifactKey: other, beforeCommit });
  });
  await expect(undone).rejects.toThrow("lost");
  expect(await keptFolders(`projects/${projectId}`)).toEqual([key]);
});

test("waits for a running commit before it decides about the files", async () => {
  const begun = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let committing: Promise<void> | undefined;
  const unsure = writeArtifacts(db, [key], async (releaseClaim) => {
    await write();
    const beforeCommit = () => {
      begun.resolve();
      return open.promise;
    };
    committing = own(releaseClaim, { beforeCommit });
    await begun.promise;
    throw new Error("The answer was lost.");
  });
  await expect(unsure).rejects.toThrow("lost");
  expect(await keptFolders(`projects/${projectId}`)).toEqual([key]);
  open.resolve();
  await committing;
});

test("a writer that resumes after its claim expired cannot reference a folder that is being deleted", async () => {
  const late = writeArtifacts(db, [key], async (releaseClaim) => {
    await write();
    await makeDue();
    await deleteOrphans(db);
    await own(releaseClaim);
  });
  await expect(late).rejects.toThrow("longer than their claim");
  expect(await db.$count(uploads, eq(uploads.artifactKey, key))).toBe(0);
  expect(await keptFolders(`projects/${projectId}`)).toEqual([]);
});

test("deletes the files of deleted rows and projects, and never the files of existing rows", async () => {
  await writeArtifacts(db, [key], async (releaseClaim) => {
    await write();
    await own(releaseClaim);
  });
  await db.insert(orphanedArtifacts).values({ key, dueAt: sql`now()` });
  expect(await keptFolders(`projects/${projectId}`)).toEqual([key]);
  await db.delete(projects).where(eq(projects.id, projectId));
  expect(await keptFolders(`projects/${projectId}`)).toEqual([]);
  expect(await db.$count(orphanedArtifacts)).toBe(0);
});

test("retries deletions after an outage of the store, and loses none", async () => {
  await writeArtifacts(db, [key], () => write());
  await makeDue();
  const root = path.join(environment().dataDir, "artifacts");
  // A file stands where the folder for what is to be removed should be.
  renameSync(path.join(root, ".tmp"), path.join(root, "..", "tmp-of-store"));
  writeFileSync(path.join(root, ".tmp"), "");
  expect(await deleteOrphans(db)).toBe(0);
  const [waiting] = await orphan();
  expect(waiting).toMatchObject({ attempts: 1 });
  expect(waiting!.dueAt.getTime()).toBeGreaterThan(Date.now());
  rmSync(path.join(root, ".tmp"));
  renameSync(path.join(root, "..", "tmp-of-store"), path.join(root, ".tmp"));
  await makeDue();
  expect(await deleteOrphans(db)).toBe(1);
  expect(await store().exists(key)).toBe(false);
});

test("a scan of the store finds unrecorded folders, but no owned, claimed or new ones", async () => {
  const stranger = `projects/${projectId}/uploads/${newId()}`;
  const written = `projects/${projectId}/uploads/${newId()}`;
  await write(stranger);
  await writeArtifacts(db, [key], async (releaseClaim) => {
    await write();
    await own(releaseClaim);
  });
  await writeArtifacts(db, [written], async () => {
    await write(written);
    expect(await collectGarbage(db)).toBe(0);
    mkdirSync(path.join(environment().dataDir, "artifacts", ".tmp", "half-written"));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 24 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await collectGarbage(db), "with a wrong clock of the process").toBe(0);
    vi.useRealTimers();
    expect(await collectGarbage(db, { olderThanMs: -1_000 })).toBe(1);
    expect(await keptFolders(`projects/${projectId}`)).toEqual([key, written].sort());
  });
});

test("a scan of the store keeps folders of projects that the database does not have", async () => {
  const foreign = `projects/${newId()}/uploads/${newId()}`;
  await write(foreign);
  onTestFinished(() => store().deleteFolder(foreign));
  expect(await collectGarbage(db, { olderThanMs: -1_000 })).toBe(0);
  await deleteOrphans(db);
  expect(await store().exists(foreign)).toBe(true);
});

test("the check of the store reports only orphaned, missing and damaged folders", async () => {
  const keys = await Promise.all(
    ["fine", "missing", "damaged"].map(async () => {
      const at = `projects/${projectId}/uploads/${newId()}`;
      await writeArtifacts(db, [at], async (releaseClaim) => {
        await write(at);
        await own(releaseClaim, { artifactKey: at });
      });
      return at;
    }),
  );
  const orphan = `projects/${projectId}/uploads/${newId()}`;
  await write(orphan);
  await store().deleteFolder(keys[1]!);
  writeFileSync(path.join(environment().dataDir, "artifacts", keys[2]!, "content"), "2");
  const report = await checkStore(db, store());
  expect(report).toMatchObject({ missing: [keys[1]], damaged: [keys[2]] });
  expect(report.orphans).toContain(orphan);
  expect(report.orphans.filter((one) => keys.includes(one))).toEqual([]);
});

test("the check of the store reports a folder whose manifest is cut off as damaged", async () => {
  await writeArtifacts(db, [key], async (releaseClaim) => {
    await write();
    await own(releaseClaim);
  });
  writeFileSync(path.join(environment().dataDir, "artifacts", key, "MANIFEST.json"), '{"version": 1,');
  onTestFinished(() => store().deleteFolder(key));
  expect((await checkStore(db, store())).damaged).toContain(key);
});

test("the check of the store does not report folders that a worker deletes meanwhile", async () => {
  await writeArtifacts(db, [key], () => write());
  await makeDue();
  const listed: string[] = [];
  class ShrinkingStore extends LocalStore {
    override async *eachFolder(prefix: string) {
      for await (const one of super.eachFolder(prefix)) {
        listed.push(one);
        yield one;
      }
      if (prefix === "") await deleteOrphans(db); // `super` calls this method for each subfolder, too.
    }
  }
  const shrinking = new ShrinkingStore(path.join(environment().dataDir, "artifacts"));
  const { orphans } = await checkStore(db, shrinking);
  expect(listed).toContain(key);
  expect(orphans).not.toContain(key);
});

test("the check of the store accepts absent optional folders of a scenario, and reports damaged ones", async () => {
  const [none, damaged] = [newId(), newId()];
  const othersOf = (id: string) => `projects/${projectId}/scenarios/${id}/others`;
  await writeArtifacts(db, [othersOf(damaged)], async (releaseClaim) => {
    await write(othersOf(damaged));
    await db.transaction(async (tx) => {
      await releaseClaim(tx);
      // Past the triggers: these scenarios have no checkpoint.
      await tx.execute("set local session_replication_role = replica");
      for (const id of [none, damaged]) {
        const of = { projectId, createdBy: "x" };
        const jobId = newId();
        await tx
          .insert(jobs)
          .values({ ...of, id: jobId, type: "CreateScenario", status: "Pending", payload: {} });
        await tx
          .insert(scenarios)
          .values({ ...of, id, shownRunId: id, title: "With others", color: "#123456", source: "Upload" });
        await tx.insert(scenarioRuns).values({ ...of, id, scenarioId: id, jobId });
      }
    });
  });
  const before = await checkStore(db, store());
  expect([before.missing, before.damaged].flat().filter((key) => key.includes(projectId))).toEqual([]);
  writeFileSync(path.join(environment().dataDir, "artifacts", othersOf(damaged), "content"), "2");
  expect((await checkStore(db, store())).damaged).toContain(othersOf(damaged));
});
