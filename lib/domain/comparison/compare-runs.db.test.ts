import { expect, it } from "vitest";
import { runName } from "#lib/contract/run-names";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison } from "#lib/contract/scenario-series";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { newId } from "#lib/platform/ids/new-id";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { createScenario, type TrainedProject, train } from "#testing/scenario-factory";
import {
  addDays,
  createDailyProject,
  listRuns,
  ofScenario,
  postRun,
  predictionsOf,
  ridge,
  runAgain,
} from "#testing/scenario-runs";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();

const compare = ({ projectId, as }: TrainedProject, query: Record<string, string>, accept?: string) =>
  callRoute<Comparison>(compareRoute, {
    params: { projectId },
    as,
    query,
    ...(accept && { headers: { accept } }),
  });

const explain = (project: TrainedProject, id: string, query: Record<string, string>) =>
  callRoute<Difference>(differenceRoute, ofScenario(project, id, query));

/** Creates a scenario, and runs it again after seven more days. Names both runs, the older one first. */
async function twoRuns() {
  const project = await createDailyProject();
  const { id, checkpointId } = await createScenario(project, { title: "Plan" });
  await addDays(project, 200, 207);
  const { runId } = await runAgain(project, id);
  return { project, id, checkpointId: checkpointId!, runId, names: [runName(id, id), runName(id, runId)] };
}

it("lays runs of a scenario over each other, in points, downloads and causes", async () => {
  const { project, id, runId, names } = await twoRuns();
  const ids = names.join();
  const { data, status } = await compare(project, { ids, from: "2023-07-27", to: "2023-08-02" });
  expect(status).toBe(200);
  const [first, second] = [await predictionsOf(project, id, { run: id }), await predictionsOf(project, id)];
  // The first run predicts from 20 July, the second one from 27 July.
  const [before, after] = [first.slice(7), second.slice(0, 7)];
  expect(before).toHaveLength(7);
  expect(data.baselineId).toBe(names[0]);
  expect(data.scenarios).toMatchObject([
    { id: names[0], runId: id, title: "Plan" },
    { id: names[1], runId, title: "Plan" },
  ]);
  expect(data.series).toMatchObject([
    { scenarioId: names[0], values: before, totalDifference: 0 },
    { scenarioId: names[1], values: after, differences: after.map((value, at) => value! - before[at]!) },
  ]);
  expect(data.differs.checkpoints).toEqual([]);

  const whole = (await compare(project, { ids, baselineId: names[1]! })).data;
  expect(whole).toMatchObject({ baselineId: names[1], pointCount: 21 });
  const at = (await listRuns(project, id))[0]!.completedAt!;
  for (const query of [{}, { bucket: "week" }]) {
    const { text } = await compare(project, { ids, ...query }, "text/csv");
    expect(text.split("\r\n")[0]).toContain(`Plan (run of ${at.slice(0, 19).replace("T", " ")} UTC)`);
  }

  const { data: why, text } = await explain(project, id, { run: runId, baselineId: names[0]! });
  expect(why, text).toMatchObject({ scenarioId: names[1], baselineId: names[0], commonRows: 7 });
  const kinds = why.parts.map(({ kind }) => kind);
  expect(kinds).toContain("history");
  expect(kinds).not.toContain("checkpoint");
  expect(why.parts.reduce((sum, { total }) => sum + total, 0)).toBeCloseTo(why.totalDifference, 9);
  expect(why.totalDifference).toBeCloseTo(data.series[1]!.totalDifference!, 9);
});

it("explains a run on a new model by its checkpoint, until the checkpoint of the former run is deleted", async () => {
  const { project, id, checkpointId, names } = await twoRuns();
  const { projectId } = project;
  await train(projectId, ridge);
  const { runId } = await runAgain(project, id, { checkpointId: "current" });
  const baselineId = names[1]!;
  const name = runName(id, runId);
  const { data } = await explain(project, id, { run: runId, baselineId });
  expect(data.parts.map(({ kind }) => kind)).toContain("checkpoint");
  const compared = await compare(project, { ids: `${baselineId},${name}` });
  expect(compared.data.differs.checkpoints.map(({ scenarioIds }) => scenarioIds)).toEqual([
    [baselineId],
    [name],
  ]);

  const { jobId } = await deleteCheckpoint(testContext(), { projectId, checkpointId });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
  expect(await explain(project, id, { run: runId, baselineId: names[0]! })).toMatchObject({
    status: 404,
    error: { code: "checkpoint_not_found" },
  });
  const after = await compare(project, { ids: `${baselineId},${name}` });
  expect(after.data.series.map(({ values }) => values)).toEqual(
    compared.data.series.map(({ values }) => values),
  );
});

it("compares runs beside scenarios, whose answers have no fields of runs", async () => {
  const { project, id, runId, names } = await twoRuns();
  const { data } = await compare(project, { ids: `${id},${names[0]}` });
  expect(data.scenarios.map((one) => [one.id, one.runId, "completedAt" in one])).toEqual([
    [id, runId, false],
    [names[0], id, true],
  ]);
  expect(data.differs.inputs.flatMap(({ scenarioIds }) => scenarioIds)).not.toContain(id);
  const { data: why } = await explain(project, id, { baselineId: names[0]! });
  expect(why).toMatchObject({ scenarioId: id, baselineId: names[0] });
});

it("rejects unknown runs, runs of other scenarios, waiting runs and names beside run or asOf", async () => {
  const { project, id, names } = await twoRuns();
  const other = await createScenario(project, { title: "Other" });
  for (const run of [newId(), "x", "", other.runId]) {
    const name = runName(id, run);
    const answer = await compare(project, { ids: `${id},${name}` });
    expect(answer).toMatchObject({ status: 404, error: { code: "run_not_found" } });
    expect(answer.error?.details).toMatchObject([{ field: "ids", id: name }]);
    expect(await explain(project, id, { baselineId: name })).toMatchObject({
      status: 404,
      error: { code: "run_not_found" },
    });
  }
  const ids = names.join();
  const rejected: Record<string, string>[] = [
    { ids, run: id },
    { ids, asOf: "2030-01-01" },
    { ids: `${names[0]},${names[0]}` },
    { ids, baselineId: id },
  ];
  for (const query of rejected) {
    expect(await compare(project, query)).toMatchObject({
      status: 400,
      error: { code: "validation_failed" },
    });
  }
  expect(await explain(project, id, { run: id, baselineId: names[0]! })).toMatchObject({ status: 400 });
  const waiting = await postRun(project, id);
  const early = await compare(project, { ids: `${id},${runName(id, waiting.data.runId)}` });
  expect(early).toMatchObject({ status: 409, error: { code: "scenario_not_ready" } });
  expect(early.error?.details).toMatchObject([{ field: "ids", id: runName(id, waiting.data.runId) }]);
});
