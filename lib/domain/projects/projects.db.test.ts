import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "#db/schema/access";
import { jobs } from "#db/schema/jobs";
import { projectDependencies, projects } from "#db/schema/projects";
import type { AuditEntry } from "#lib/contract/audit";
import type { Project, ProjectOverview } from "#lib/contract/projects";
import { type Caller, callRoute, createKey, createProject, createUser, forgetKeyLeases } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as getAudit } from "../../../app/api/v1/projects/[projectId]/audit/route.ts";
import { PUT as putDependencies } from "../../../app/api/v1/projects/[projectId]/dependencies/route.ts";
import { DELETE, GET, PATCH } from "../../../app/api/v1/projects/[projectId]/route.ts";
import { POST as create, GET as list } from "../../../app/api/v1/projects/route.ts";

const { db } = await createTestDatabase();

const admin = await createUser();

const get = (projectId: string, as: Caller = admin, headers = {}) =>
  callRoute<Project>(GET, { as, params: { projectId }, headers });
const patch = (projectId: string, body: object, headers = {}) =>
  callRoute<Project>(PATCH, { method: "PATCH", as: admin, params: { projectId }, body, headers });
const remove = (projectId: string) =>
  callRoute<{ jobId: string }>(DELETE, { method: "DELETE", as: admin, params: { projectId } });
const depend = (projectId: string, upstreamIds: string[]) =>
  callRoute<Project>(putDependencies, {
    method: "PUT",
    as: admin,
    params: { projectId },
    body: { dependencies: upstreamIds.map((id, index) => ({ projectId: id, featureName: `f${index}` })) },
  });

test("a new project is visible to all sessions with its given fields", async () => {
  const answer = await callRoute<Project>(create, { as: admin, body: { name: "  Käse & Brot  " } });
  expect(answer).toMatchObject({
    status: 201,
    data: {
      name: "Käse & Brot",
      description: null,
      target: null,
      currentModel: null,
      defaultCheckpointId: null,
      dependencies: [],
      createdBy: admin.id,
    },
  });
  const analyst = await createUser({ role: "analyst" });
  expect((await get(answer.data.id, analyst)).data).toEqual(answer.data);
});

test("returns a project's model and target", async () => {
  const { id } = await createProject();
  const model = await createModel({ projectId: id });
  expect((await get(id)).data).toMatchObject({
    target: "demand",
    currentModel: {
      id: model.id,
      modelName: model.modelName,
      targetMetric: model.targetMetric,
      primaryMetricValue: model.primaryMetricValue,
      trainedAt: model.trainedAt.toISOString(),
    },
  });
});

test("lists all projects by page for a session, and one project for an API key", async () => {
  const made = await Promise.all(Array.from({ length: 3 }, () => createProject()));
  const seen: Project[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: Record<string, string> = cursor === "" ? { limit: "2" } : { limit: "2", cursor };
    const page = await callRoute<Project[]>(list, { as: admin, query });
    seen.push(...page.data);
    const link = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
    cursor = link ? new URL(link).searchParams.get("cursor") : null;
  }
  const times = seen.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().reverse());
  const ids = seen.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id } of made) expect(ids).toContain(id);
  const projectId = made[0]!.id;
  const own = await callRoute<Project[]>(list, { as: await createKey({ projectId }) });
  expect(own.data.map(({ id }) => id)).toEqual([projectId]);
});

test("lists each project's default checkpoint, last scenario and running jobs, with an unchanged entity tag", async () => {
  const trained = await createTrainedProject({
    csv: `temp,demand\n${Array.from({ length: 40 }, (_, i) => `${i},${3 * i + 1}`).join("\n")}`,
    target: "demand",
    request: { algorithm: "ridge" },
  });
  const { projectId } = trained;
  const overview = async () => {
    const { data } = await callRoute<ProjectOverview[]>(list, { as: admin, query: { limit: "200" } });
    return data.find(({ id }) => id === projectId)!;
  };
  const nothing = { defaultCheckpointLabel: null, lastScenario: null, openJobs: 0 };
  expect(await overview()).toMatchObject(nothing);
  const fileData = Buffer.from("temp\n1\n2\n").toString("base64");
  await createScenario(trained, { title: "First", checkpointLabel: "Spring", fileData });
  const last = await createScenario(trained, { title: "Second", color: "#c2185b", fileData });
  const tag = (await get(projectId)).headers.get("etag");
  await db.insert(jobs).values({
    id: crypto.randomUUID(),
    projectId,
    type: "TrainModel",
    status: "Pending",
    payload: {},
    createdBy: admin.id,
  });
  const {
    display: _display,
    units: _units,
    timezone: _timezone,
    frequency: _frequency,
    runsKept: _runsKept,
    ...common
  } = (await get(projectId)).data;
  expect(await overview()).toMatchObject({
    ...common,
    defaultCheckpointLabel: "Spring",
    lastScenario: { id: last.id, title: "Second", color: "#c2185b", status: "Completed" },
    openJobs: 1,
  });
  expect((await get(projectId)).headers.get("etag")).toBe(tag);
});

test("omitted fields stay unchanged", async () => {
  const { id } = await createProject({ name: "Before" });
  await patch(id, { description: "words" });
  expect((await patch(id, { name: "After" })).data).toMatchObject({ name: "After", description: "words" });
  expect((await patch(id, { description: null })).data).toMatchObject({ name: "After", description: null });
});

test("keeps 24 runs of each scenario, or from 1 to 200 as an admin sets, and records the change", async () => {
  const { id } = await createProject();
  expect((await get(id)).data.runsKept).toBe(24);
  expect((await patch(id, { runsKept: 36 })).data.runsKept).toBe(36);
  for (const runsKept of [0, 201, 1.5, "12"])
    expect(await patch(id, { runsKept })).toMatchObject({
      status: 400,
      error: { code: "validation_failed" },
    });
  const analyst = await createUser({ role: "analyst" });
  const body = { runsKept: 2 };
  const refused = await callRoute(PATCH, { method: "PATCH", as: analyst, params: { projectId: id }, body });
  expect(refused.error?.code).toBe("forbidden");
  const { data } = await callRoute<AuditEntry[]>(getAudit, { as: admin, params: { projectId: id } });
  expect(data[0]!.changes).toEqual([{ field: "runsKept", from: 24, to: 36 }]);
  expect((await patch(id, { name: "Other" })).data.runsKept).toBe(36);
});

test("accepts only one of two changes with the same entity tag", async () => {
  const { id } = await createProject();
  const tag = (await get(id)).headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[\w-]{20,}"$/);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => patch(id, { name: `name ${index}` }, { "if-match": tag })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 412, 412, 412, 412, 412]);
  const winner = answers.find(({ status }) => status === 200)!;
  expect((await get(id)).headers.get("etag")).toBe(winner.headers.get("etag"));
  expect((await patch(id, { name: "again" }, { "if-match": winner.headers.get("etag") })).status).toBe(200);
  expect((await patch(id, { name: "any" }, { "if-match": "*" })).status).toBe(200);
});

test("responds 304 without a body for an unchanged project", async () => {
  const { id } = await createProject();
  const tag = (await get(id)).headers.get("etag") ?? "";
  const same = await get(id, admin, { "if-none-match": `W/${tag}` });
  expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", tag]);
  expect((await get(id, admin, { "if-none-match": '"other"' })).status).toBe(200);
});

test("dependencies replace the previous ones, and an API key may only drop and rename them", async () => {
  const [project, first, second] = await Promise.all([createProject(), createProject(), createProject()]);
  const { data } = await depend(project.id, [first.id, second.id]);
  expect(data.dependencies).toEqual([
    { projectId: first.id, featureName: "f0" },
    { projectId: second.id, featureName: "f1" },
  ]);
  const key = await createKey({ projectId: project.id });
  const byKey = (body: object) =>
    callRoute<Project>(putDependencies, {
      method: "PUT",
      as: key,
      params: { projectId: project.id },
      body,
    });
  const renamed = [{ projectId: first.id, featureName: "renamed" }];
  expect((await byKey({ dependencies: renamed })).data.dependencies).toEqual(renamed);
  expect((await byKey({ dependencies: [{ projectId: second.id, featureName: "x" }] })).status).toBe(404);
});

test("rejects duplicate dependencies, each with its position", async () => {
  const [project, upstream] = await Promise.all([createProject(), createProject()]);
  const answer = await depend(project.id, [upstream.id, upstream.id.toUpperCase()]);
  expect(answer.error?.details?.map(({ field }) => field)).toEqual(["dependencies.1.projectId"]);
});

test("rejects one of two concurrent changes that would form a cycle", async () => {
  const ring = await Promise.all(Array.from({ length: 4 }, () => createProject()));
  const answers = await Promise.all(
    ring.map(({ id }, index) => depend(id, [ring[(index + 1) % ring.length]!.id])),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
});

test("hides a deleted project at once, and its job removes all data", async () => {
  const csv = `temp,demand\n${Array.from({ length: 40 }, (_, i) => `${i},${3 * i + 1}`).join("\n")}`;
  const trained = await createTrainedProject({
    csv,
    target: "demand",
    request: { algorithm: "ridge" },
  });
  const { projectId } = trained;
  await createScenario(trained, { fileData: Buffer.from("temp\n1\n2\n").toString("base64") });
  expect(await keptFolders(`projects/${projectId}`)).not.toEqual([]);
  const { status, data } = await remove(projectId);
  expect(status).toBe(202);
  expect((await get(projectId)).status).toBe(404);
  expect((await get(projectId, trained.as)).status).toBe(404);
  expect((await remove(projectId)).error?.code).toBe("project_not_found");
  expect((await runJobHere(data.jobId)).status).toBe("Completed");
  expect(await db.select().from(projects).where(eq(projects.id, projectId))).toEqual([]);
  expect(await keptFolders(`projects/${projectId}`)).toEqual([]);
  forgetKeyLeases();
  expect((await get(projectId, trained.as)).error?.code).toBe("api_key_invalid");
  const log = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.projectId, projectId), eq(auditLog.action, "project.deleted")));
  expect(log).toMatchObject([{ actorId: admin.id }]);
});

test("a project that is being deleted does not block the deletion of its upstream projects", async () => {
  const [user, used] = await Promise.all([createProject(), createProject()]);
  await depend(user.id, [used.id]);
  expect((await remove(used.id)).status).toBe(400);
  expect((await remove(user.id)).status).toBe(202);
  expect(
    await db.select().from(projectDependencies).where(eq(projectDependencies.projectId, user.id)),
  ).toEqual([]);
  expect((await remove(used.id)).status).toBe(202);
});

test("cancels a project's jobs when the project is deleted", async () => {
  const { id } = await createProject();
  const other = await createProject();
  const waiting = (projectId: string) => ({
    id: crypto.randomUUID(),
    projectId,
    type: "TrainModel" as const,
    status: "Pending" as const,
    payload: {},
    createdBy: admin.id,
  });
  await db.insert(jobs).values([waiting(id), waiting(other.id)]);
  await remove(id);
  const rows = await db.select().from(jobs).where(eq(jobs.type, "TrainModel"));
  const asked = (projectId: string) => rows.find((row) => row.projectId === projectId)?.cancelRequested;
  expect([asked(id), asked(other.id)]).toEqual([true, false]);
});

test("lists the audit log newest first, with names", async () => {
  const { data } = await callRoute<Project>(create, { as: admin, body: { name: "Audited" } });
  await patch(data.id, { name: "Renamed" });
  const log = await callRoute<AuditEntry[]>(getAudit, { as: admin, params: { projectId: data.id } });
  expect(log.data.map(({ action, label, actorName }) => [action, label, actorName])).toEqual([
    ["project.updated", "Renamed", "Ada"],
    ["project.created", "Audited", "Ada"],
  ]);
});
