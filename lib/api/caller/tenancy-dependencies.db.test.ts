import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { database } from "#lib/platform/database/process-database";
import { type Caller, callRoute, createKey, createProject, createUser, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import {
  createPopulatedProject,
  createReadyCheckpoint,
  inputCsv,
  type PopulatedProject,
} from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, type RouteCase, routeCases } from "#testing/route-cases";
import { base64, createTrainedProject } from "#testing/scenario-factory";

// A key has full access to its own project. In an upstream project it can do only what `dependentProjectCheckpoints`
// needs, because an admin declared the dependency.

await createTestDatabase();
const cases = new Map((await routeCases()).map((item): [string, RouteCase] => [item.name, item]));
const ctx = testContext();
const ofProject = "/api/v1/projects/{projectId}";

function ask<T>(name: string, as: Caller, parts: CallParts) {
  const item = cases.get(name)!;
  return callRoute<T>(item.handler, { ...item.call(parts), as });
}

describe("a checkpoint in use", () => {
  let upstream: PopulatedProject;
  let user: PopulatedProject;
  beforeAll(async () => {
    upstream = await createPopulatedProject({ name: "Upstream" });
    user = await createPopulatedProject({ name: "User", upstream: [upstream] });
  });

  const rejection = async (as: Caller) => {
    const { projectId, checkpointId } = upstream;
    const params = { projectId, checkpointId };
    const answer = await ask(`DELETE ${ofProject}/checkpoints/{checkpointId}`, as, { params });
    expect([answer.status, answer.error?.code]).toEqual([400, "checkpoint_in_use"]);
    expect(answer.error?.message).toContain("4 scenarios");
    return answer;
  };

  test("lists every scenario that uses it for a user", async () => {
    const { error } = await rejection(await createUser({ role: "analyst" }));
    expect(error?.details?.map(({ id }) => id)).toEqual(
      [upstream, user].flatMap(({ scenarioId, otherScenarioId }) => [scenarioId, otherScenarioId]),
    );
  });

  test("lists the scenarios of the key's own project, and only the IDs of others", async () => {
    const { error, text } = await rejection(upstream.as);
    expect(error?.details).toMatchObject([
      { id: upstream.scenarioId, value: "Scenario" },
      { id: upstream.otherScenarioId, value: "Scenario" },
      { id: user.scenarioId },
      { id: user.otherScenarioId },
    ]);
    for (const foreign of error?.details?.slice(2) ?? []) {
      expect(Object.keys(foreign).sort()).toEqual(["code", "field", "id", "message"]);
    }
    expect(text).not.toContain(user.projectId);
  });
});

describe("a removed dependency", () => {
  /**
   * Creates a project whose only input is an upstream prediction, with a key of the project. `drop` removes the
   * dependency as an admin.
   */
  const createPair = async () => {
    const upstream = await createTrainedProject({ name: "Upstream", csv: rows("x,up"), target: "up" });
    const { projectId, as } = await createTrainedProject({
      name: "User",
      csv: rows("x,y"),
      target: "y",
      dependencies: [{ projectId: upstream.projectId, featureName: "up" }],
    });
    const drop = () => setDependencies(ctx, { projectId, dependencies: [] });
    return { upstream, projectId, as, drop };
  };
  const rows = (header: string) =>
    `${header}\n${Array.from({ length: 60 }, (_, row) => `${row % 7},${3 * (row % 7) + (row % 2)}`).join("\n")}\n`;

  test("hides the upstream project's predictions from a model that still uses them", async () => {
    const { projectId, as, drop } = await createPair();
    const predict = (input: Record<string, number[]>) =>
      ask(`POST ${ofProject}/predict`, as, { params: { projectId }, body: { input } });
    expect((await predict({ x: [1, 2] })).status).toBe(200);
    await drop();
    const rejected = await predict({ x: [1, 2] });
    expect([rejected.status, rejected.error?.code]).toEqual([400, "input_invalid"]);
    expect(rejected.error?.details).toMatchObject([{ column: "up", code: "missing_column" }]);
    expect((await predict({ x: [1, 2], up: [3, 6] })).status).toBe(200);
  });

  test.each([
    ["saved", (checkpointId: string) => checkpointId],
    ["to be saved", () => null],
  ])("rejects the retry of a job that would use a checkpoint %s there", async (_name, pin) => {
    const upstream = await createPopulatedProject({ name: "Upstream" });
    const { projectId, as, checkpointId } = await createPopulatedProject({ upstream: [upstream] });
    const dependentProjectCheckpoints = { [upstream.projectId]: pin(upstream.checkpointId) };
    const body = { title: "S", checkpointId, fileData: base64(inputCsv), dependentProjectCheckpoints };
    const made = await ask<{ jobId: string }>(`POST ${ofProject}/scenarios`, as, {
      params: { projectId },
      body,
    });
    const params = { jobId: made.data.jobId };
    expect((await ask("POST /api/v1/jobs/{jobId}/cancel", as, { params })).status).toBe(200);
    await setDependencies(ctx, { projectId, dependencies: [] });
    const saved = () => database().$count(checkpoints, eq(checkpoints.projectId, upstream.projectId));
    const before = await saved();
    const retried = await ask("POST /api/v1/jobs/{jobId}/retry", as, { params });
    expect([retried.status, retried.error?.code]).toEqual([400, "job_not_retryable"]);
    expect(await saved()).toBe(before);
  });
});

test("a checkpoint applies only to its own project, even if the request names other checkpoints", async () => {
  const one = await createPopulatedProject({ name: "One" });
  const two = await createPopulatedProject({ name: "Two" });
  const { projectId, as, checkpointId } = await createPopulatedProject({ upstream: [one, two] });
  const post = async (forOne: string) => {
    const dependentProjectCheckpoints = { [one.projectId]: forOne, [two.projectId]: two.checkpointId };
    const body = { title: "S", checkpointId, fileData: base64(inputCsv), dependentProjectCheckpoints };
    const { status, error } = await ask(`POST ${ofProject}/scenarios`, as, { params: { projectId }, body });
    return [status, error?.code, error?.details?.map(({ id, field }) => [id, field])];
  };
  const another = await createReadyCheckpoint(two.projectId);
  for (const id of [another, two.checkpointId, checkpointId, crypto.randomUUID()]) {
    const field = `dependentProjectCheckpoints.${one.projectId}`;
    expect(await post(id)).toEqual([404, "checkpoint_not_found", [[id, field]]]);
  }
});

test("no project exists for a key whose project is being deleted", async () => {
  const { id: projectId } = await createProject();
  const as = await createKey({ projectId });
  await createModel({ projectId });
  const made = await ask<{ jobId: string }>(`POST ${ofProject}/checkpoints`, as, {
    params: { projectId },
    body: {},
  });
  const params = { jobId: made.data.jobId };
  const admin = await createUser();
  expect((await ask(`DELETE ${ofProject}`, admin, { params: { projectId } })).status).toBe(202);
  for (const name of [
    "GET /api/v1/me",
    "GET /api/v1/projects",
    "POST /api/v1/projects",
    "GET /api/v1/jobs/{jobId}",
    "POST /api/v1/jobs/{jobId}/cancel",
    "POST /api/v1/jobs/{jobId}/retry",
    "GET /api/v1/realtime",
    `GET ${ofProject}`,
  ]) {
    const { status, error } = await ask(name, as, { params: { projectId, ...params } });
    expect([name, status, error?.code]).toEqual([name, 404, "project_not_found"]);
  }
  expect(await database().$count(jobs, eq(jobs.projectId, projectId))).toBe(2);
});
