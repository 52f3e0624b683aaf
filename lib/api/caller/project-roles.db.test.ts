import { describe, expect, test } from "vitest";
import { effectOf } from "#lib/api/route-declaration";
import { scopes } from "#lib/contract/api-keys";
import { type ProjectRole, projectRoles } from "#lib/contract/project-roles";
import { addProjectMember } from "#lib/domain/project-members/change-project-members";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { updateProject } from "#lib/domain/projects/update-project";
import { callRoute, createKey, createProject, createUser, type TestUser, testContext } from "#testing/api";
import { createNeighbours } from "#testing/neighbours";
import { createTestDatabase } from "#testing/postgres";
import { routeCases } from "#testing/route-cases";
import { failJob } from "#testing/scenario-runs";
import { validCalls } from "#testing/valid-calls";
import { GET as listProjects } from "../../../app/api/v1/projects/route.ts";
import { POST as authorizeChannel } from "../../../app/api/v1/realtime/auth/route.ts";
import { neededRole } from "./authorize.ts";

// The declarations of the routes are the policy: these tests derive from them what each role and each scope may do.

await createTestDatabase();
const cases = await routeCases();
const { own, stranger, upstream } = await createNeighbours();
const { projectId } = own;
await updateProject(testContext(), { projectId, change: { access: "restricted" } });
const outsider = await createUser({ role: "analyst" });
const members = {} as Record<ProjectRole, TestUser>;
for (const role of projectRoles) {
  members[role] = await createUser({ role: "analyst" });
  await addProjectMember(testContext(), { projectId, userId: members[role].id, role });
}

const ofProjects = cases.filter(({ ids }) => ids.includes("projectId"));

describe.each(ofProjects.map((item) => [item.name, item] as const))("%s", (name, item) => {
  test.each(projectRoles)("to a listed %s", async (role) => {
    const { auth: access, ...declaration } = item.handler.declaration;
    const needed = neededRole({ access, effect: effectOf(declaration, item.method) });
    const isPermitted = needed !== null && projectRoles.indexOf(role) >= projectRoles.indexOf(needed);
    // The call of a deletion creates its own project, where the member is not listed.
    const parts = await validCalls[name]!(own);
    const isListed = (parts.params?.projectId ?? projectId) === projectId;
    if (!isListed) return;
    const answer = await callRoute(item.handler, { ...item.call(parts), as: members[role] });
    if (isPermitted) expect(answer.status, answer.text).toBeLessThan(300);
    else expect([answer.status, answer.error?.code], answer.text).toEqual([403, "forbidden"]);
  });

  test("to an analyst whom a restricted project does not list", async () => {
    const call = item.call(await validCalls[name]!(own));
    if (call.params?.projectId !== projectId) return;
    const answer = await callRoute(item.handler, { ...call, as: outsider });
    expect([answer.status, answer.error?.code], answer.text).toEqual([404, "project_not_found"]);
  });

  test.each(scopes)("to a key with the scope %s", async (scope) => {
    const { auth, ...declaration } = item.handler.declaration;
    if (auth !== "project" && auth !== "settings") return;
    const parts = await validCalls[name]!(stranger);
    const key = await createKey({ projectId: stranger.projectId, scopes: [scope] });
    const answer = await callRoute(item.handler, { ...item.call(parts), as: key });
    if (effectOf(declaration, item.method) === scope) expect(answer.status, answer.text).toBeLessThan(300);
    else expect([answer.status, answer.error?.code], answer.text).toEqual([403, "forbidden"]);
  });
});

test("jobs of a restricted project do not exist for others, and a viewer cannot end or repeat them", async () => {
  for (const { name, ...item } of cases.filter(({ ids }) => ids.includes("jobId"))) {
    const call = item.call(await validCalls[name]!(own));
    const hidden = await callRoute(item.handler, { ...call, as: outsider });
    expect([hidden.status, hidden.error?.code], name).toEqual([404, "job_not_found"]);
    const seen = await callRoute(item.handler, { ...call, as: members.viewer });
    const isRead = effectOf(item.handler.declaration, item.method) === "read";
    expect(seen.status, name).toBe(isRead ? 200 : 403);
  }
});

test("lists and channels contain a restricted project only for its members", async () => {
  const listed = async (as: TestUser) =>
    (await callRoute<{ id: string; role: ProjectRole }[]>(listProjects, { as })).data.find(
      ({ id }) => id === projectId,
    );
  expect(await listed(outsider)).toBeUndefined();
  for (const role of projectRoles) expect(await listed(members[role])).toMatchObject({ role });
  const form = { method: "POST", body: `socket_id=1.1&channel_name=private-project-${projectId}` };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  expect((await callRoute(authorizeChannel, { ...form, headers, as: outsider })).status).toBe(404);
  expect((await callRoute(authorizeChannel, { ...form, headers, as: members.viewer })).status).toBe(200);
});

test("an upstream project must be visible to the user who names it", async () => {
  const { handler, call } = cases.find(
    ({ name }) => name === "PUT /api/v1/projects/{projectId}/dependencies",
  )!;
  const hidden = { projectId, featureName: "theirs" };
  const manager = await createUser({ role: "analyst" });
  await addProjectMember(testContext(), { projectId: stranger.projectId, userId: manager.id, role: "admin" });
  const parts = { params: { projectId: stranger.projectId }, body: { dependencies: [hidden] } };
  const answer = await callRoute(handler, { ...call(parts), as: manager });
  expect([answer.status, answer.error?.code]).toEqual([404, "project_not_found"]);
});

test("a cycle of dependencies does not name projects that the user does not see", async () => {
  const { handler, call } = cases.find(
    ({ name }) => name === "PUT /api/v1/projects/{projectId}/dependencies",
  )!;
  const [first, seen, hidden] = [await createProject(), await createProject(), await createProject()];
  await updateProject(testContext(), {
    projectId: hidden.id,
    change: { access: "restricted", name: "Secret" },
  });
  const admin = await createUser({ role: "admin" });
  const set = (projectId: string, upstreamId: string, as = admin) => {
    const body = { dependencies: [{ projectId: upstreamId, featureName: "theirs" }] };
    return callRoute(handler, { ...call({ params: { projectId }, body }), as });
  };
  await set(seen.id, hidden.id);
  await set(hidden.id, first.id);
  const manager = await createUser({ role: "analyst" });
  await addProjectMember(testContext(), { projectId: first.id, userId: manager.id, role: "admin" });
  const answer = await set(first.id, seen.id, manager);
  expect([answer.status, answer.error?.code]).toEqual([400, "dependency_cycle"]);
  expect(answer.error!.details!.map(({ id }) => id)).toEqual([first.id, seen.id, undefined]);
  expect(answer.text).not.toMatch(new RegExp(`Secret|${hidden.id}`));
  expect((await set(first.id, seen.id)).text).toContain("Secret");
});

test("only admins of the service repeat the deletion of a project", async () => {
  const { jobId } = await deleteProject(testContext(), { projectId: (await createProject()).id });
  await failJob(jobId);
  const { handler, call } = cases.find(({ name }) => name === "POST /api/v1/jobs/{jobId}/retry")!;
  const retry = (as: TestUser) => callRoute(handler, { ...call({ params: { jobId } }), as });
  expect((await retry(outsider)).status).toBe(403);
  expect((await retry(await createUser({ role: "admin" }))).status).toBe(202);
});

test("a checkpoint in use names scenarios of a hidden downstream project by ID only", async () => {
  const { handler, call } = cases.find(
    ({ name }) => name === "DELETE /api/v1/projects/{projectId}/checkpoints/{checkpointId}",
  )!;
  const params = { projectId: upstream.projectId, checkpointId: upstream.checkpointId };
  const theirs = async (as: TestUser) =>
    (await callRoute(handler, { ...call({ params }), as })).error!.details!.find(
      ({ id }) => id === own.scenarioId,
    );
  expect(await theirs(outsider)).not.toHaveProperty("projectId");
  expect(await theirs(members.viewer)).toMatchObject({ projectId, value: expect.any(String) });
});

test("a key cannot change the access to its project", async () => {
  const { handler, call } = cases.find(({ name }) => name === "PATCH /api/v1/projects/{projectId}")!;
  const as = await createKey({ projectId: stranger.projectId });
  const parts = { params: { projectId: stranger.projectId }, body: { access: "restricted" } };
  expect((await callRoute(handler, { ...call(parts), as })).status).toBe(403);
});

test("an analyst whom an open project lists as viewer stays an analyst there", async () => {
  const listed = await createUser({ role: "analyst" });
  await addProjectMember(testContext(), { projectId: stranger.projectId, userId: listed.id, role: "viewer" });
  const { data } = await callRoute<{ id: string; role: ProjectRole }[]>(listProjects, { as: listed });
  expect(data.find(({ id }) => id === stranger.projectId)).toMatchObject({ role: "analyst", access: "open" });
});
