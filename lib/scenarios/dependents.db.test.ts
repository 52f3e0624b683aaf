import { and, eq, inArray } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { checkpointDependencies, checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import { createCheckpoint } from "#lib/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/checkpoints/delete-checkpoint";
import { updateCheckpoint } from "#lib/checkpoints/update-checkpoint";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Prediction } from "#lib/contract/predictions";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { parseCsv } from "#lib/csv/parse";
import { cancelJob } from "#lib/jobs/cancel-job";
import { retryJob } from "#lib/jobs/retry-job";
import { setDependencies } from "#lib/projects/set-dependencies";
import { store } from "#lib/storage/store";
import { abandonOf, retryOf } from "#lib/worker/handler-registry";
import { callRoute, createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import {
  base64,
  createScenario,
  createTrainedProject,
  getScenario,
  postScenario,
  type TrainedProject,
  train,
} from "#testing/scenario-factory";
import { GET as checkpointsRoute } from "../../app/api/v1/projects/[projectId]/checkpoints/route.ts";
import { POST as predictRoute } from "../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as predictionsRoute } from "../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

const { db } = await createTestDatabase();
const ctx = testContext();

/** Demand uses the predicted temperature, which is made from the calendar; sales use the predicted demand. */
let weather: TrainedProject;
let demand: TrainedProject;
let sales: TrainedProject;

const days = 220;

function dailySales(): string {
  const rows = parseCsv(dailyDemand(days)).table;
  const [date, , demandColumn] = rows.columns as { values: Float64Array }[];
  const lines = Array.from({ length: days }, (_, row) => {
    const day = new Date(date!.values[row]!).toISOString().slice(0, 10);
    return `${day},${row % 3},${(demandColumn!.values[row]! * 2 + (row % 3)).toFixed(3)}`;
  });
  return `day,promo,sales\n${lines.join("\n")}\n`;
}

beforeAll(async () => {
  weather = await createTrainedProject({
    name: "Weather",
    csv: dailyTemperature(days),
    target: "temp",
    timestamp: "day",
  });
  demand = await createTrainedProject({
    name: "Demand",
    csv: dailyDemand(days),
    target: "demand",
    timestamp: "date",
    dependencies: [{ projectId: weather.projectId, featureName: "predicted_temp" }],
  });
  sales = await createTrainedProject({
    name: "Sales",
    csv: dailySales(),
    target: "sales",
    timestamp: "day",
    dependencies: [{ projectId: demand.projectId, featureName: "predicted_demand" }],
  });
});

async function savedCheckpoint({ projectId }: TrainedProject): Promise<string> {
  const { checkpointId, jobId } = await createCheckpoint(ctx, { projectId });
  expect((await runJobHere(jobId)).status).toBe("Completed");
  return checkpointId;
}

async function readRows({ projectId, as }: TrainedProject, scenarioId: string): Promise<PredictionRow[]> {
  return (await callRoute<PredictionRow[]>(predictionsRoute, { params: { projectId, scenarioId }, as })).data;
}

async function inputOf({ projectId, as }: TrainedProject, scenarioId: string) {
  const { text } = await callRoute(predictionsRoute, {
    params: { projectId, scenarioId },
    as,
    headers: { accept: "text/csv" },
  });
  const { table } = parseCsv(text);
  return new Map(
    table.columns.map((column) => [column.name, Array.from((column as { values: Float64Array }).values)]),
  );
}

/** Everything that a refused request could leave. */
async function traces(...projects: TrainedProject[]) {
  const ids = projects.map(({ projectId }) => projectId);
  const folders = await Promise.all(ids.map((id) => keptFolders(`projects/${id}`)));
  return {
    checkpoints: await db.$count(checkpoints, inArray(checkpoints.projectId, ids)),
    scenarios: await db.$count(scenarios, inArray(scenarios.projectId, ids)),
    jobs: await db.$count(jobs, inArray(jobs.projectId, ids)),
    folders,
  };
}

describe("dependentProjectCheckpoints", () => {
  it("must name every project of the transitive closure; what is missing is named, all of it", async () => {
    const before = await traces(weather, demand, sales);
    const none = await postScenario(sales, {});
    expect([none.status, none.error?.code]).toEqual([400, "dependency_checkpoint_required"]);
    expect(new Set(none.error?.details?.map(({ id }) => id))).toEqual(
      new Set([weather.projectId, demand.projectId]),
    );
    const half = await postScenario(sales, { dependentProjectCheckpoints: { [demand.projectId]: null } });
    expect(half.error?.details?.map(({ id }) => id)).toEqual([weather.projectId]);
    expect(await traces(weather, demand, sales)).toEqual(before);
  });

  it("must name no other project, and only checkpoints that are that project's", async () => {
    const own = await savedCheckpoint(demand);
    const before = await traces(weather, demand, sales);
    const unknown = await postScenario(demand, {
      dependentProjectCheckpoints: { [weather.projectId]: null, [sales.projectId]: null },
    });
    expect([unknown.status, unknown.error?.code]).toEqual([400, "dependency_unknown"]);
    expect(unknown.error?.details?.map(({ id }) => id)).toEqual([sales.projectId]);
    const foreign = await postScenario(demand, { dependentProjectCheckpoints: { [weather.projectId]: own } });
    expect([foreign.status, foreign.error?.code]).toEqual([404, "checkpoint_not_found"]);
    expect(await traces(weather, demand, sales)).toEqual(before);
  });

  it("with null saves the current models in one batch, linked to the main one, and shows them once they are complete", async () => {
    const accepted = await postScenario(sales, {
      checkpointLabel: "Sales, spring",
      dependentProjectCheckpoints: {
        [demand.projectId.toUpperCase()]: null,
        [weather.projectId]: null,
      },
    });
    expect(accepted.status).toBe(202);
    const { checkpointId, scenarioId, jobId } = accepted.data;
    const reserved = await db
      .select()
      .from(checkpoints)
      .where(eq(checkpoints.linkedCheckpointId, checkpointId));
    expect(reserved.map(({ projectId, state }) => [projectId, state]).sort()).toEqual(
      [
        [demand.projectId, "reserved"],
        [weather.projectId, "reserved"],
      ].sort(),
    );
    const visible = async ({ projectId, as }: TrainedProject) =>
      (await callRoute<Checkpoint[]>(checkpointsRoute, { params: { projectId }, as })).data;
    expect((await visible(sales)).map(({ id }) => id)).not.toContain(checkpointId);

    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed", errorMessage: null });
    expect(await visible(sales)).toContainEqual(
      expect.objectContaining({ id: checkpointId, label: "Sales, spring", linkedCheckpointId: null }),
    );
    const scenario = await getScenario(sales, scenarioId);
    const pins = Object.fromEntries(reserved.map(({ projectId, id }) => [projectId, id]));
    expect(scenario.dependentProjectCheckpoints).toEqual(pins);
    for (const dependent of [demand, weather]) {
      expect(await visible(dependent)).toContainEqual(
        expect.objectContaining({ id: pins[dependent.projectId], linkedCheckpointId: checkpointId }),
      );
    }
    const recorded = await db
      .select()
      .from(checkpointDependencies)
      .where(eq(checkpointDependencies.checkpointId, checkpointId));
    expect(
      Object.fromEntries(recorded.map((row) => [row.upstreamProjectId, row.upstreamCheckpointId])),
    ).toEqual(pins);
  });

  it("with an existing main checkpoint links new dependents' checkpoints to that", async () => {
    const main = await savedCheckpoint(demand);
    const scenario = await createScenario(demand, {
      checkpointId: main,
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    const pinned = scenario.dependentProjectCheckpoints[weather.projectId]!;
    const [row] = await db.select().from(checkpoints).where(eq(checkpoints.id, pinned));
    expect(row).toMatchObject({ linkedCheckpointId: main, state: "ready", projectId: weather.projectId });
  });

  it("reserves all or none: with a full dependent project nothing is left anywhere", async () => {
    const full = await createTrainedProject({
      name: "Full",
      csv: dailyTemperature(100),
      target: "temp",
      timestamp: "day",
    });
    const user = await createTrainedProject({
      name: "User",
      csv: dailyDemand(100),
      target: "demand",
      timestamp: "date",
      dependencies: [{ projectId: full.projectId, featureName: "t" }],
    });
    for (let i = 0; i < 20; i++) await createCheckpoint(ctx, { projectId: full.projectId });
    const before = await traces(full, user);
    const answer = await postScenario(user, {
      fileData: base64("date,price\n2023-04-20,5\n"),
      dependentProjectCheckpoints: { [full.projectId]: null },
    });
    expect([answer.status, answer.error?.code]).toEqual([400, "checkpoint_limit_reached"]);
    expect(await traces(full, user)).toEqual(before);
  });

  it("with null needs a model in the dependent project", async () => {
    const { id: empty } = await createProject({ name: "Empty" });
    const user = await createTrainedProject({ csv: dailyDemand(60), target: "demand", timestamp: "date" });
    await setDependencies(ctx, {
      projectId: user.projectId,
      dependencies: [{ projectId: empty, featureName: "x" }],
    });
    const answer = await postScenario(user, { dependentProjectCheckpoints: { [empty]: null } });
    expect([answer.status, answer.error?.code]).toEqual([400, "dependency_has_no_model"]);
    expect(answer.error?.details?.map(({ id }) => id)).toEqual([empty]);
  });

  it("holds a dependents' checkpoint: it cannot be deleted while a scenario uses it", async () => {
    const pinned = await savedCheckpoint(weather);
    await createScenario(demand, { dependentProjectCheckpoints: { [weather.projectId]: pinned } });
    await expect(
      deleteCheckpoint(ctx, { projectId: weather.projectId, checkpointId: pinned }),
    ).rejects.toMatchObject({ code: "checkpoint_in_use" });
  });
});

describe("upstream features", () => {
  it("are the pinned upstream checkpoint's predictions for the same times, through every level", async () => {
    const [weatherPin, demandPin] = [await savedCheckpoint(weather), await savedCheckpoint(demand)];
    const endDate = "2023-08-20";
    const dependentProjectCheckpoints = { [weather.projectId]: weatherPin, [demand.projectId]: demandPin };
    const scenario = await createScenario(sales, { endDate, dependentProjectCheckpoints });
    const input = await inputOf(sales, scenario.id);

    const ofDemand = await createScenario(demand, {
      endDate,
      checkpointId: demandPin,
      dependentProjectCheckpoints: { [weather.projectId]: weatherPin },
    });
    const demandRows = await readRows(demand, ofDemand.id);
    expect(input.get("predicted_demand")).toEqual(demandRows.map(({ prediction }) => prediction));

    const ofWeather = await createScenario(weather, { endDate, checkpointId: weatherPin });
    const weatherRows = await readRows(weather, ofWeather.id);
    expect((await inputOf(demand, ofDemand.id)).get("predicted_temp")).toEqual(
      weatherRows.map(({ prediction }) => prediction),
    );
  });

  it("stay with the pinned model version when the upstream project has another current model", async () => {
    const pinned = await savedCheckpoint(weather);
    const body = { endDate: "2023-08-15", dependentProjectCheckpoints: { [weather.projectId]: pinned } };
    const checkpointId = await savedCheckpoint(demand);
    const before = await createScenario(demand, { ...body, checkpointId });
    await train(weather.projectId, {
      algorithm: "gradient_boosting",
      features: { lags: [] },
      hyperparameters: { rounds: 20 },
    });
    const after = await createScenario(demand, { ...body, checkpointId });
    expect(after.summary).toEqual(before.summary);
    const onNew = await createScenario(demand, {
      ...body,
      checkpointId,
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    expect(onNew.summary).not.toEqual(before.summary);
  });

  it("tell of every level: another checkpoint of the first project changes the numbers of the third, and a newer default is told", async () => {
    const [older, demandPin] = [await savedCheckpoint(weather), await savedCheckpoint(demand)];
    const run = (weatherPin: string, checkpointId?: string) =>
      createScenario(sales, {
        endDate: "2023-08-15",
        ...(checkpointId && { checkpointId }),
        dependentProjectCheckpoints: { [weather.projectId]: weatherPin, [demand.projectId]: demandPin },
      });
    const before = await run(older);
    const main = before.checkpointId!;
    expect((await run(older, main)).summary).toEqual(before.summary);
    const warned = async () => {
      const { data } = await callRoute<Prediction>(predictRoute, {
        params: { projectId: sales.projectId },
        as: sales.as,
        body: { checkpointId: main, input: { day: ["2023-08-10"], promo: [1], price: [6] } },
      });
      return data.warnings.filter(({ code }) => code === "newer_upstream_default");
    };
    expect(await warned()).toEqual([]);
    await train(weather.projectId, {
      algorithm: "gradient_boosting",
      features: { lags: [] },
      hyperparameters: { rounds: 5 },
    });
    const newer = await savedCheckpoint(weather);
    await updateCheckpoint(ctx, { projectId: weather.projectId, checkpointId: newer, setAsDefault: true });
    const after = await run(newer, main);
    expect(after.summary).not.toEqual(before.summary);
    expect(after.stalePins.map(({ projectId }) => projectId)).not.toContain(weather.projectId);
    expect((await getScenario(sales, before.id)).stalePins).toContainEqual({
      projectId: weather.projectId,
      checkpointId: older,
      label: expect.any(String),
      defaultCheckpointId: newer,
      defaultLabel: expect.any(String),
    });
    expect(await warned()).toEqual([expect.objectContaining({ message: expect.stringContaining(newer) })]);
  });

  it("of a CSV are computed for its times, known and later ones, unless the CSV brings them", async () => {
    const dependentProjectCheckpoints = { [weather.projectId]: await savedCheckpoint(weather) };
    const checkpointId = await savedCheckpoint(demand);
    // From known days over the end of the data to days behind a gap.
    const list = ["2023-07-30", "2023-08-08", "2023-08-09", "2023-08-20"];
    const file = `date,price\n${list.map((day) => `${day},6`).join("\n")}\n`;
    const computed = await createScenario(demand, {
      checkpointId,
      fileData: base64(file),
      dependentProjectCheckpoints,
    });
    const temps = (await inputOf(demand, computed.id)).get("predicted_temp")!;
    expect(temps.every(Number.isFinite)).toBe(true);

    const withTemps = `date,price,predicted_temp\n${list.map((day, i) => `${day},6,${temps[i]}`).join("\n")}\n`;
    const given = await createScenario(demand, {
      checkpointId,
      fileData: base64(withTemps),
      dependentProjectCheckpoints,
    });
    expect(given.summary).toEqual(computed.summary);
    expect(given.warnings).toContainEqual(
      expect.objectContaining({ code: "upstream_given", column: "predicted_temp" }),
    );
  });

  it("are taken over by a what-if scenario on the same checkpoints, and made anew on others", async () => {
    const [first, checkpointId] = [await savedCheckpoint(weather), await savedCheckpoint(demand)];
    const base = await createScenario(demand, {
      checkpointId,
      dependentProjectCheckpoints: { [weather.projectId]: first },
    });
    const adjusted: Scenario = await createScenario(demand, {
      checkpointId,
      baseScenarioId: base.id,
      adjustments: [{ feature: "predicted_temp", operation: "add", value: 3 }],
      dependentProjectCheckpoints: { [weather.projectId]: first },
    });
    const [before, after] = [await inputOf(demand, base.id), await inputOf(demand, adjusted.id)];
    expect(after.get("predicted_temp")).toEqual(before.get("predicted_temp")!.map((value) => value + 3));
    await train(weather.projectId, { algorithm: "ridge", features: { lags: [], calendar: true } });
    const elsewhere = await createScenario(demand, {
      checkpointId,
      baseScenarioId: base.id,
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    const anew = (await inputOf(demand, elsewhere.id)).get("predicted_temp");
    expect(anew?.length).toBe(base.rowCount);
    expect(anew).not.toEqual(before.get("predicted_temp"));
  });

  it("that cannot be computed are refused with the way out", async () => {
    await createModel({ projectId: weather.projectId });
    const answer = await postScenario(demand, {
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    expect([answer.status, answer.error?.code]).toEqual([400, "input_invalid"]);
    expect(answer.error?.details).toContainEqual(
      expect.objectContaining({ column: "predicted_temp", code: "missing_column" }),
    );
    await train(weather.projectId, { algorithm: "ridge", features: { lags: [], calendar: true } });
  });
});

describe("a batch whose job does not succeed", () => {
  it("leaves none of its checkpoints; the scenario stays, and a retry reserves them anew", async () => {
    const body = { dependentProjectCheckpoints: { [weather.projectId]: null } };
    const before = await traces(weather, demand);
    const { data } = await postScenario(demand, body);
    await cancelJob(ctx, { jobId: data.jobId }, abandonOf);
    const cancelled = await getScenario(demand, data.scenarioId);
    expect(cancelled).toMatchObject({
      status: "Cancelled",
      checkpointId: null,
      dependentProjectCheckpoints: {},
    });
    expect((await traces(weather, demand)).checkpoints).toBe(before.checkpoints);

    const retried = await retryJob(ctx, { jobId: data.jobId }, retryOf);
    expect(await getScenario(demand, data.scenarioId)).toMatchObject({
      status: "Pending",
      jobId: retried.jobId,
    });
    expect(await runJobHere(retried.jobId)).toMatchObject({ status: "Completed" });
    const made = await getScenario(demand, data.scenarioId);
    expect(made).toMatchObject({ status: "Completed", checkpointId: expect.any(String) });
    const pins = await db
      .select()
      .from(scenarioCheckpoints)
      .where(eq(scenarioCheckpoints.scenarioId, data.scenarioId));
    const [linked] = await db
      .select()
      .from(checkpoints)
      .where(and(eq(checkpoints.id, pins[0]!.checkpointId!), eq(checkpoints.state, "ready")));
    expect(linked?.linkedCheckpointId).toBe(made.checkpointId);
    await expect(retryJob(ctx, { jobId: data.jobId }, retryOf)).rejects.toMatchObject({
      code: "job_not_retryable",
    });
  });

  it("leaves none either where one model's artifacts cannot be copied", async () => {
    const broken = await createTrainedProject({
      name: "Broken",
      csv: dailyTemperature(100),
      target: "temp",
      timestamp: "day",
    });
    const user = await createTrainedProject({
      name: "User",
      csv: dailyDemand(100),
      target: "demand",
      timestamp: "date",
      dependencies: [{ projectId: broken.projectId, featureName: "t" }],
    });
    const { data } = await postScenario(user, { dependentProjectCheckpoints: { [broken.projectId]: null } });
    for (const folder of await keptFolders(`projects/${broken.projectId}/models`)) {
      await store().deleteFolder(folder);
    }
    for (let attempt = 1; attempt <= 2; attempt++) await expect(runJobHere(data.jobId)).rejects.toThrow();
    expect(await runJobHere(data.jobId)).toMatchObject({ status: "Failed", errorCode: "internal_error" });
    const ids = [broken.projectId, user.projectId];
    expect(await db.$count(checkpoints, inArray(checkpoints.projectId, ids))).toBe(0);
    for (const id of ids) expect(await keptFolders(`projects/${id}/checkpoints`)).toEqual([]);
    expect(await getScenario(user, data.scenarioId)).toMatchObject({ status: "Failed", checkpointId: null });
  });
});
