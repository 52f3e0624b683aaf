import { describe, expect, it } from "vitest";
import type { Comparison, PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { newId } from "#lib/platform/ids/new-id";
import { callRoute, testContext } from "#testing/api";
import { findViolations } from "#testing/invariants";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, getScenario, train } from "#testing/scenario-factory";
import {
  addDays,
  createDailyProject,
  demandDays,
  listRuns,
  ofScenario,
  postRun,
  predictionsOf,
  ridge,
  runAgain,
} from "#testing/scenario-runs";
import { GET as actualsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/actuals/route.ts";
import { GET as contributionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as scenarioRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { GET as rowsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";
import { GET as compareRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

const { sql } = await createTestDatabase();
const ctx = testContext();
const expectNoViolations = async () => expect(await findViolations(sql)).toEqual([]);

describe("a scenario that is run again", () => {
  it("shows the newest completed run; former runs stay readable by run and asOf", async () => {
    const project = await createDailyProject();
    const { id, runId: firstRun } = await createScenario(project, { title: "Plan", endDate: "2023-08-01" });
    const first = await getScenario(project, id);
    expect(first).toMatchObject({ rowCount: 13, knownUntil: "2023-07-19T00:00:00.000Z", runId: id });
    const before = await predictionsOf(project, id);
    await addDays(project, 200, 205);

    const waiting = await postRun(project, id);
    expect(waiting).toMatchObject({
      status: 202,
      data: { status: "Pending", checkpointId: first.checkpointId },
    });
    expect(await getScenario(project, id)).toEqual({ ...first });
    expect((await listRuns(project, id)).map(({ status }) => status)).toEqual(["Pending", "Completed"]);
    expect(await runJobHere(waiting.data.jobId)).toMatchObject({ status: "Completed", scenarioId: id });

    const second = await getScenario(project, id);
    // As many steps after the last known row as before.
    expect(second).toMatchObject({
      status: "Completed",
      runId: waiting.data.runId,
      jobId: waiting.data.jobId,
      rowCount: 13,
      knownUntil: "2023-07-24T00:00:00.000Z",
      firstTimestamp: "2023-07-25T00:00:00.000Z",
      endDate: "2023-08-06T00:00:00.000Z",
    });
    const runs = await listRuns(project, id);
    expect(runs).toMatchObject([
      { id: second.runId, knownUntil: second.knownUntil, status: "Completed", summary: second.summary },
      { id: firstRun, knownUntil: first.knownUntil, status: "Completed", summary: first.summary },
    ]);
    const asOf = runs[1]!.completedAt!;
    for (const query of [{ run: firstRun }, { asOf }]) {
      expect(await predictionsOf(project, id, query)).toEqual(before);
      const { data } = await callRoute<Scenario>(scenarioRoute, ofScenario(project, id, query));
      expect(data).toEqual(first);
      const chart = await callRoute<PredictionChart>(
        predictionsRoute,
        ofScenario(project, id, { maxPoints: "50", ...query }),
      );
      expect(chart.data.values).toEqual(before);
      const rows = await callRoute<{ rows: PredictionRow[] }>(rowsRoute, ofScenario(project, id, query));
      expect(rows.data.rows.map(({ prediction }) => prediction)).toEqual(before);
      const csv = await callRoute(predictionsRoute, {
        ...ofScenario(project, id, query),
        headers: { accept: "text/csv" },
      });
      expect(csv.text.trim().split("\n")).toHaveLength(1 + before.length);
      const actuals = await callRoute<{ errors: { rows: number } }>(
        actualsRoute,
        ofScenario(project, id, query),
      );
      expect(actuals.data.errors.rows).toBe(5);
    }
    expect(await predictionsOf(project, id)).not.toEqual(before);
    await expectNoViolations();
  });

  it("is compared as of a time, and by a run of one of the scenarios", async () => {
    const project = await createDailyProject();
    const one = await createScenario(project, { title: "One" });
    const { checkpointId } = one;
    const other = await createScenario(project, { title: "Other", checkpointId });
    const asOf = (await listRuns(project, other.id))[0]!.completedAt!;
    await addDays(project, 200, 203);
    const { runId } = await runAgain(project, one.id);
    const compare = (query: object) =>
      callRoute<Comparison>(compareRoute, {
        params: { projectId: project.projectId },
        as: project.as,
        query: { ids: `${one.id},${other.id}`, ...query },
      });
    const runsOf = async (query: object) => (await compare(query)).data.scenarios.map((row) => row.runId);
    expect(await runsOf({})).toEqual([runId, other.runId]);
    expect(await runsOf({ asOf })).toEqual([one.runId, other.runId]);
    expect(await runsOf({ run: one.runId })).toEqual([one.runId, other.runId]);
    expect((await compare({ asOf })).data.series[1]!.totalDifference).toBe(0);
    const csv = await callRoute(compareRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      query: { ids: `${one.id},${other.id}`, asOf },
      headers: { accept: "text/csv" },
    });
    expect(csv.text).toContain("2023-07-20");
    expect(await compare({ run: newId() })).toMatchObject({ status: 404, error: { code: "run_not_found" } });
  });

  it("rejects runs of other scenarios, malformed IDs and times before the first run", async () => {
    const project = await createDailyProject();
    const { id } = await createScenario(project, {});
    const foreign = await createScenario(await createDailyProject(), {});
    for (const query of [
      { run: foreign.runId },
      { run: "nonsense" },
      { run: newId() },
      { asOf: "2020-01-01" },
    ]) {
      for (const route of [scenarioRoute, predictionsRoute, rowsRoute, actualsRoute]) {
        expect(await callRoute(route, ofScenario(project, id, query))).toMatchObject({
          status: 404,
          error: { code: "run_not_found" },
        });
      }
    }
    const both = await callRoute(scenarioRoute, ofScenario(project, id, { run: id, asOf: "2030-01-01" }));
    expect(both).toMatchObject({ status: 400, error: { code: "validation_failed" } });
    expect(await callRoute(scenarioRoute, ofScenario(project, id, { asOf: "soon" }))).toMatchObject({
      status: 400,
    });
  });

  it("uses the current model's checkpoint, or saves one; the former run releases its checkpoint", async () => {
    const project = await createDailyProject();
    const { id, checkpointId: old } = await createScenario(project, { title: "Plan" });
    const { projectId } = project;
    await addDays(project, 200, 210);
    await train(projectId, ridge);
    const { runId, checkpointId } = await runAgain(project, id, { checkpointId: "current" });
    expect(checkpointId).not.toBe(old);
    expect((await runAgain(project, id, { checkpointId: "current" })).checkpointId).toBe(checkpointId);
    expect((await runAgain(project, id)).checkpointId).toBe(checkpointId);
    const contributions = (run: string) =>
      callRoute(contributionsRoute, ofScenario(project, id, { rows: "1", run }));
    expect((await contributions(id)).status).toBe(200);

    const { jobId } = await deleteCheckpoint(ctx, { projectId, checkpointId: old! });
    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
    for (const route of [contributionsRoute, actualsRoute])
      expect(await callRoute(route, ofScenario(project, id, { rows: "1", run: id }))).toMatchObject({
        status: 404,
        error: { code: "checkpoint_not_found" },
      });
    // Its predictions and the facts of its checkpoint stay.
    const { data } = await callRoute<Scenario>(scenarioRoute, ofScenario(project, id, { run: id }));
    expect(data).toMatchObject({
      checkpointId: old,
      checkpointLabel: expect.any(String),
      status: "Completed",
    });
    expect(await predictionsOf(project, id, { run: id })).toHaveLength(14);
    const chart = await callRoute(predictionsRoute, ofScenario(project, id, { bucket: "week", run: id }));
    expect(chart.status).toBe(200);
    await expect(deleteCheckpoint(ctx, { projectId, checkpointId })).rejects.toMatchObject({
      code: "checkpoint_in_use",
    });
    expect((await contributions(runId)).status).toBe(200);
    const missing = await postRun(project, id, { checkpointId: old });
    expect(missing).toMatchObject({ status: 404, error: { code: "checkpoint_not_found" } });
    await expectNoViolations();
  });

  it("counts a new checkpoint of the current model towards the limit", async () => {
    const project = await createDailyProject();
    const { projectId } = project;
    const { id } = await createScenario(project, {});
    await train(projectId, ridge);
    for (;;) {
      const made = await createCheckpoint(ctx, { projectId }).catch(() => null);
      if (made === null) break;
    }
    const rejected = await postRun(project, id, { checkpointId: "current" });
    expect(rejected).toMatchObject({ status: 400, error: { code: "checkpoint_limit_reached" } });
    expect(await listRuns(project, id)).toHaveLength(1);
  });

  it("adjusts the newest run of its base, and keeps an uploaded input", async () => {
    const project = await createDailyProject();
    const base = await createScenario(project, { title: "Base" });
    const { checkpointId } = base;
    const adjustments = [{ feature: "price", operation: "multiply", value: 1.1 }];
    const clone = await createScenario(project, { checkpointId, baseScenarioId: base.id, adjustments });
    const upload = await createScenario(project, { checkpointId, fileData: base64(demandDays(200, 214)) });
    const orphan = await createScenario(project, { checkpointId, baseScenarioId: base.id, adjustments });
    const uploaded = await predictionsOf(project, upload.id);
    await addDays(project, 200, 204);
    await runAgain(project, base.id);
    await runAgain(project, clone.id);
    expect(await getScenario(project, clone.id)).toMatchObject({
      firstTimestamp: "2023-07-24T00:00:00.000Z",
      knownUntil: "2023-07-23T00:00:00.000Z",
    });
    const fresh = await createScenario(project, { checkpointId, baseScenarioId: base.id, adjustments });
    expect(await predictionsOf(project, clone.id)).toEqual(await predictionsOf(project, fresh.id));

    await runAgain(project, upload.id);
    const again = await getScenario(project, upload.id);
    expect(again).toMatchObject({ source: "Upload", rowCount: 14, firstTimestamp: upload.firstTimestamp });
    const same = await createScenario(project, { checkpointId, fileData: base64(demandDays(200, 214)) });
    expect(await predictionsOf(project, upload.id)).toEqual(await predictionsOf(project, same.id));
    expect(await predictionsOf(project, upload.id, { run: upload.id })).toEqual(uploaded);

    // Without its base, a scenario keeps its input, whose adjustments are not applied twice.
    const earlier = await predictionsOf(project, orphan.id);
    const { jobId } = await deleteScenario(ctx, { projectId: project.projectId, scenarioId: base.id });
    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
    await runAgain(project, orphan.id);
    expect(await predictionsOf(project, orphan.id)).toEqual(earlier);
    await expectNoViolations();
  });

  it("keeps the number of steps of the first run over several runs", async () => {
    const project = await createDailyProject();
    const { id } = await createScenario(project, { endDate: "2023-07-29" });
    for (const from of [200, 207, 214]) {
      await addDays(project, from, from + 7);
      await runAgain(project, id);
      expect((await getScenario(project, id)).rowCount).toBe(10);
    }
  });
});
