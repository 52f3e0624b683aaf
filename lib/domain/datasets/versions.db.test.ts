import { describe, expect, it } from "vitest";
import type { DatasetChanges, DatasetVersion } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import type { Model } from "#lib/contract/models";
import { requestTraining } from "#lib/domain/models/request-training";
import { projectSpace } from "#lib/domain/projects/space";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { checkInvariants } from "#testing/invariants";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, train } from "#testing/scenario-factory";
import { checkStoredFiles } from "#testing/stored-files";
import { GET as changesRoute } from "../../../app/api/v1/projects/[projectId]/dataset/versions/[versionId]/changes/route.ts";
import { POST as restoreRoute } from "../../../app/api/v1/projects/[projectId]/dataset/versions/[versionId]/restore/route.ts";
import { DELETE as deleteRoute } from "../../../app/api/v1/projects/[projectId]/dataset/versions/[versionId]/route.ts";
import { GET as versionsRoute } from "../../../app/api/v1/projects/[projectId]/dataset/versions/route.ts";
import { GET as currentModelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { store } from "../../platform/storage/store.ts";
import { appendRows } from "./append-rows.ts";
import { getDataset } from "./get-dataset.ts";
import { putDataset } from "./put-dataset.ts";
import { restoreVersion } from "./restore-version.ts";
import { updateDataset } from "./update-dataset.ts";

const { db, sql } = await createTestDatabase();
const ctx = testContext();

/** Days from 1 January 2024 with demand 10, 11, …, as lines of a CSV. */
const days = (from: number, to: number, factor = 1) =>
  Array.from({ length: to - from }, (_, at) => {
    const day = new Date(Date.UTC(2024, 0, from + at)).toISOString().slice(0, 10);
    return `${day},${(from + at) % 7},${factor * (9 + from + at)}`;
  });
const csvOf = (lines: readonly string[]) => base64(`day,temp,demand\n${lines.join("\n")}\n`);

async function newDataset(lines = days(1, 21)) {
  const { id: projectId } = await createProject();
  const as = await createKey({ projectId });
  const settings = { target: "demand", timestamp: "day", fileName: "demand.csv" };
  const first = await putDataset(ctx, { projectId, fileData: csvOf(lines), ...settings });
  const of = { params: { projectId }, as };
  return {
    projectId,
    as,
    first,
    settings,
    append: (from: number, to: number) => appendRows(ctx, { projectId, fileData: csvOf(days(from, to)) }),
    versions: async () => (await callRoute<DatasetVersion[]>(versionsRoute, of)).data,
    restore: (versionId: string, headers: Record<string, string> = {}) =>
      callRoute<Dataset>(restoreRoute, { method: "POST", params: { projectId, versionId }, as, headers }),
    remove: (versionId: string, headers: Record<string, string> = {}) =>
      callRoute<DatasetVersion>(deleteRoute, {
        method: "DELETE",
        params: { projectId, versionId },
        as,
        headers,
      }),
    changes: async (versionId: string, sinceId?: string) => {
      const query = sinceId === undefined ? {} : { sinceId };
      return (await callRoute<DatasetChanges>(changesRoute, { params: { projectId, versionId }, query, as }))
        .data;
    },
    folders: () => keptFolders(`projects/${projectId}/datasets`),
  };
}

/** Returns a version without its identity. */
const contentOf = ({ id: _, createdAt: __, createdBy: ___, ...content }: Dataset) => content;

describe("versions of a dataset", () => {
  it("lists every change, newest first, and restores rows and settings to the bit", async () => {
    const { projectId, first, settings, append, versions, restore } = await newDataset();
    await append(21, 24);
    await updateDataset(ctx, { projectId, change: { exclude: ["temp"] } });
    await putDataset(ctx, { projectId, fileData: csvOf(days(1, 4)), ...settings, fileName: "wrong.csv" });
    const before = await versions();
    expect(before.map(({ change, rowCount, fileName }) => [change, rowCount, fileName])).toEqual([
      ["replaced", 3, "wrong.csv"],
      ["settings", 23, "demand.csv"],
      ["appended", 23, "demand.csv"],
      ["replaced", 20, "demand.csv"],
    ]);
    const restored = await restore(before[3]!.id);
    expect(restored.status).toBe(200);
    expect(contentOf(restored.data)).toEqual(contentOf(first));
    const after = await versions();
    expect(after[0]).toMatchObject({ id: restored.data.id, change: "restored", createdBy: ctx.actor.userId });
    expect(after.slice(1)).toEqual(before);
    const [entry] =
      await sql`select action, entity_id from audit_log where project_id = ${projectId} order by created_at desc, id desc limit 1`;
    expect(entry).toEqual({ action: "dataset.restored", entity_id: restored.data.id });
  });

  it("lists the name of the appended file, and keeps the former name without one", async () => {
    const { projectId, append, versions } = await newDataset();
    await appendRows(ctx, { projectId, fileData: csvOf(days(21, 22)), fileName: "february.csv" });
    await append(22, 23);
    expect((await versions()).map(({ fileName }) => fileName)).toEqual([
      "february.csv",
      "february.csv",
      "demand.csv",
    ]);
  });

  it("stores only the rows of an append, and nothing for settings and restores", async () => {
    const { projectId, first, append, restore, folders } = await newDataset(days(1, 2001));
    const bytesOf = async () => (await projectSpace(db, projectId)).byKind.datasets;
    const atFirst = await bytesOf();
    await append(2001, 2003);
    expect((await bytesOf()) - atFirst).toBeLessThan(1_000);
    await updateDataset(ctx, { projectId, change: { exclude: ["temp"] } });
    await restore(first.id);
    expect(await folders()).toHaveLength(2);
    await checkStoredFiles(sql, store());
  });

  it("joins the folders of many appends, without a change of the rows", async () => {
    const { append, folders, versions, changes, first } = await newDataset();
    for (let day = 21; day < 71; day++) await append(day, day + 1);
    const [newest] = await versions();
    expect(newest!.rowCount).toBe(70);
    expect((await changes(newest!.id)).rowCount).toMatchObject({ added: 1, removed: 0, changed: 0 });
    expect((await folders()).length).toBeLessThanOrEqual(32 + 10);
    expect(await versions()).toHaveLength(10);
    expect(await changes(first.id)).toBeUndefined();
  });

  it("deletes a version with the rows that no other version has, and frees their space", async () => {
    const { projectId, settings, append, versions, remove, folders } = await newDataset(days(1, 2001));
    await append(2001, 2003);
    await putDataset(ctx, { projectId, fileData: csvOf(days(1, 31)), ...settings });
    const [current, appended, first] = await versions();
    const bytesOf = async () => (await projectSpace(db, projectId)).byKind.datasets;
    const full = await bytesOf();
    const answer = await remove(first!.id);
    expect([answer.status, answer.data]).toEqual([200, first]);
    expect(await versions()).toEqual([current, appended]);
    // The appended version has these rows as well.
    expect(await bytesOf()).toBe(full);
    expect((await remove(appended!.id)).status).toBe(200);
    expect(await versions()).toEqual([current]);
    expect(await bytesOf()).toBeLessThan(full / 10);
    expect(await folders()).toHaveLength(1);
    await checkStoredFiles(sql, store());
    expect((await remove(appended!.id)).error?.code).toBe("version_not_found");
    const [entry] =
      await sql`select action, entity_id, label from audit_log where project_id = ${projectId} order by created_at desc, id desc limit 1`;
    expect(entry).toEqual({
      action: "dataset.version-deleted",
      entity_id: appended!.id,
      label: "demand.csv",
    });
  });

  it("keeps the current version, and one that a waiting job reads", async () => {
    const { projectId, append, versions, remove } = await newDataset();
    const { jobId } = await requestTraining(ctx, { projectId, request: { algorithm: "ridge" } });
    await append(21, 22);
    const [current, read] = await versions();
    const ofCurrent = await remove(current!.id);
    expect([ofCurrent.status, ofCurrent.error?.code, ofCurrent.error?.details?.[0]?.code]).toEqual([
      400,
      "validation_failed",
      "version_is_current",
    ]);
    const inUse = await remove(read!.id);
    expect([inUse.status, inUse.error?.code]).toEqual([400, "validation_failed"]);
    expect(inUse.error!.details).toMatchObject([{ id: jobId, code: "version_in_use" }]);
    expect(await versions()).toHaveLength(2);
    await runJobHere(jobId);
    expect((await remove(read!.id, { "if-match": '"other"' })).status).toBe(412);
    expect((await remove(read!.id)).status).toBe(200);
  });

  it("deletes folders that no version uses, and keeps those that one still uses", async () => {
    const { projectId, settings, append, folders } = await newDataset();
    await append(21, 22);
    const shared = await folders();
    await putDataset(ctx, { projectId, fileData: csvOf(days(1, 4)), ...settings });
    for (let time = 0; time < 8; time++) await updateDataset(ctx, { projectId, change: { exclude: [] } });
    expect(await folders()).toEqual(expect.arrayContaining(shared));
    await updateDataset(ctx, { projectId, change: { exclude: [] } });
    expect(await folders()).toHaveLength(1);
    await checkStoredFiles(sql, store());
  });

  it("keeps a version that a waiting training reads, and the model names it", async () => {
    const { projectId, first, as, versions } = await newDataset(days(1, 81));
    const { jobId } = await requestTraining(ctx, { projectId, request: { algorithm: "ridge" } });
    for (let time = 0; time < 11; time++)
      await updateDataset(ctx, { projectId, change: { exclude: time % 2 === 0 ? ["temp"] : [] } });
    expect((await versions()).at(-1)!.id).toBe(first.id);
    expect((await runJobHere(jobId)).status).toBe("Completed");
    const model = await callRoute<Model>(currentModelRoute, { params: { projectId }, as });
    expect(model.data.datasetVersionId).toBe(first.id);
    await updateDataset(ctx, { projectId, change: { exclude: [] } });
    expect((await versions()).map(({ id }) => id)).not.toContain(first.id);
    await checkInvariants(sql);
  });
});

describe("comparison of versions", () => {
  it("counts and shows rows by their times, columns and settings", async () => {
    const { projectId, first, settings, changes } = await newDataset(days(1, 21));
    const other = [...days(2, 10), "2024-01-10,3,1000", ...days(11, 24)];
    const replaced = await putDataset(ctx, {
      projectId,
      fileData: csvOf(other),
      ...settings,
      exclude: ["temp"],
    });
    const found = await changes(replaced.id);
    expect(found).toMatchObject({
      versionId: replaced.id,
      sinceId: first.id,
      columns: { added: [], removed: [] },
    });
    expect(found.rowCount).toEqual({ before: 20, after: 22, added: 3, removed: 1, changed: 1 });
    expect(found.rows[0]).toEqual({
      kind: "changed",
      row: 9,
      timestamp: "2024-01-10T00:00:00.000Z",
      values: [{ column: "demand", before: 19, after: 1000 }],
    });
    expect(found.rows[1]).toMatchObject({ kind: "removed", row: 1, timestamp: "2024-01-01T00:00:00.000Z" });
    expect(found.settings).toEqual([{ field: "exclude", from: null, to: "temp" }]);
    expect(await changes(first.id)).toMatchObject({ sinceId: null, rowCount: { added: 20, before: 0 } });
  });

  it("names models trained on rows that a restore removes, and scenarios compared with them", async () => {
    const { projectId, as, first, append, changes, restore } = await newDataset(days(1, 81));
    await train(projectId, { algorithm: "ridge" });
    const scenario = await createScenario({ projectId, as }, { title: "Ahead", endDate: "2024-03-25" });
    const appended = await append(81, 91);
    await train(projectId, { algorithm: "ridge" });
    const model = await callRoute<Model>(currentModelRoute, { params: { projectId }, as });
    const found = await changes(first.id, appended.id);
    expect(found.rowCount).toMatchObject({ removed: 10, added: 0, changed: 0 });
    expect(found.models).toEqual([expect.objectContaining({ id: model.data.id, rows: 10 })]);
    expect(found.scenarios).toEqual([{ id: scenario.id, title: "Ahead", rows: 5 }]);
    const { warnings } = (await restore(first.id)).data;
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["models_of_removed_rows", "scenarios_of_removed_rows"]),
    );
    expect(warnings[0]!.message).toContain("Restoring the earlier version removed 10 rows.");
  });
});

describe("concurrent changes", () => {
  it("of two appends at once, the second continues the first or is rejected", async () => {
    const { append, versions } = await newDataset();
    const both = await Promise.allSettled([append(21, 23), append(23, 25)]);
    const done = both.filter(({ status }) => status === "fulfilled").length;
    expect(done).toBeGreaterThanOrEqual(1);
    const [newest, ...older] = await versions();
    expect(older).toHaveLength(done);
    expect(newest!.rowCount).toBe(20 + 2 * done);
    await checkInvariants(sql);
  });

  it("a restore beside an append leaves both in the history, one after the other", async () => {
    const { projectId, first, append, versions } = await newDataset();
    await append(21, 23);
    await Promise.all([restoreVersion(ctx, { projectId, versionId: first.id }), append(23, 25)]);
    const [newest, ...older] = await versions();
    expect(older).toHaveLength(3);
    expect([20, 22]).toContain(newest!.rowCount);
    expect([newest!.change, older[0]!.change].sort()).toEqual(["appended", "restored"]);
    await checkInvariants(sql);
    await checkStoredFiles(sql, store());
  });

  it("many writers leave ten versions with all their files", async () => {
    const { projectId, settings, append, versions, restore } = await newDataset();
    const writers = Array.from({ length: 16 }, async (_, at) => {
      if (at % 4 === 0) await putDataset(ctx, { projectId, fileData: csvOf(days(1, 5 + at)), ...settings });
      else if (at % 4 === 1) await append(300 + at, 301 + at);
      else if (at % 4 === 2) await updateDataset(ctx, { projectId, change: { exclude: ["temp"] } });
      else await restore((await versions()).at(-1)!.id);
    });
    await Promise.allSettled(writers);
    expect((await versions()).length).toBe(10);
    await checkInvariants(sql);
    await checkStoredFiles(sql, store());
  });
});

it("appended values far outside the known range have a warning", async () => {
  const { projectId } = await newDataset();
  const fileData = csvOf(["2024-01-21,3,35", "2024-01-22,3,90", "2024-01-23,3,31"]);
  const { warnings } = await appendRows(ctx, { projectId, fileData });
  expect(warnings.filter(({ code }) => code.includes("outside"))).toEqual([
    expect.objectContaining({
      code: "far_outside_range",
      column: "demand",
      firstRow: 1,
      rows: 3,
      range: { least: 31, greatest: 90, trainedMin: 10, trainedMax: 29 },
    }),
  ]);
  const usual = await appendRows(ctx, { projectId, fileData: csvOf(["2024-01-24,3,120"]) });
  expect(usual.warnings.filter(({ code }) => code.includes("outside"))).toEqual([]);
});

it("a restore honours If-Match, and a version of another project does not exist", async () => {
  const { projectId, first, restore, append } = await newDataset();
  await append(21, 22);
  expect((await restore(first.id, { "if-match": '"other"' })).status).toBe(412);
  expect((await getDataset(ctx, { projectId })).rowCount).toBe(21);
  const foreign = await newDataset();
  const answer = await restore(foreign.first.id);
  expect([answer.status, answer.error?.code]).toEqual([404, "version_not_found"]);
});
