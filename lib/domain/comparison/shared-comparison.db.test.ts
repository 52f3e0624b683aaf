import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditLog } from "#db/schema/access";
import { projects } from "#db/schema/projects";
import { verification } from "#db/schema/users";
import type { Comparison } from "#lib/contract/scenario-series";
import type { ComparisonLink, NewComparisonLink, SharedComparison } from "#lib/contract/shared-comparisons";
import { addProjectMember } from "#lib/domain/project-members/change-project-members";
import { deleteComparison } from "#lib/domain/saved-comparisons/delete-comparison";
import { type Caller, callRoute, createUser, testContext } from "#testing/api";
import { createPopulatedProject, saveComparison } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { POST as endRoute } from "../../../app/api/v1/projects/[projectId]/comparisons/[comparisonId]/link/end/route.ts";
import {
  POST as createRoute,
  GET as getRoute,
} from "../../../app/api/v1/projects/[projectId]/comparisons/[comparisonId]/link/route.ts";
import { GET as compare } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";
import { POST as openRoute } from "../../../app/api/v1/shared-comparison/route.ts";

const { db } = await createTestDatabase();
const own = await createPopulatedProject({ name: "Energy" });
const ada = await createUser({ role: "analyst" });
beforeEach(async () => {
  setEnvironment({ COMPARISON_LINKS: "1" });
  await db.execute("delete from call_rates");
});

const ofComparison = (comparisonId = own.comparisonId) => ({
  params: { projectId: own.projectId, comparisonId },
});
const share = async (comparisonId?: string, body = {}, as: Caller = ada) =>
  callRoute<NewComparisonLink>(createRoute, { as, body, ...ofComparison(comparisonId) });
const get = async (comparisonId?: string) =>
  (await callRoute<ComparisonLink>(getRoute, { as: ada, ...ofComparison(comparisonId) })).data;
const revoke = (comparisonId?: string) =>
  callRoute<ComparisonLink>(endRoute, { method: "POST", as: ada, ...ofComparison(comparisonId) });
const open = (token: string, headers = {}) =>
  callRoute<SharedComparison>(openRoute, { body: { token }, headers });

test("anybody with the link sees the comparison, and names of no other columns", async () => {
  const { data: link } = await share();
  const { status, headers, data } = await open(link.token);
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  const { projectId, scenarioId, otherScenarioId } = own;
  const query = { ids: `${scenarioId},${otherScenarioId}`, maxPoints: "1000" };
  const compared = await callRoute<Comparison>(compare, { as: ada, params: { projectId }, query });
  expect(data.comparison).toEqual(compared.data);
  expect(data).toMatchObject({ name: expect.any(String), expiresAt: link.expiresAt });
  expect(data.project).toEqual({
    name: "Energy",
    target: "demand",
    display: {},
    units: {},
    timezone: expect.anything(),
    frequency: null,
  });
});

test("a link is stored as a hash, expires after 30 days unless it says otherwise, and replaces the former one", async () => {
  const comparisonId = await saveComparison(own);
  const first = (await share(comparisonId)).data;
  const days = (link: NewComparisonLink) => (Date.parse(link.expiresAt) - Date.now()) / 86_400_000;
  expect(days(first)).toBeCloseTo(30, 1);
  const second = (await share(comparisonId, { expiresInDays: 1 })).data;
  expect(days(second)).toBeCloseTo(1, 1);
  expect(await get(comparisonId)).toEqual({ expiresAt: second.expiresAt });
  expect(JSON.stringify(await db.select().from(verification))).not.toContain(second.token);
  expect([(await open(first.token)).status, (await open(second.token)).status]).toEqual([404, 200]);
});

test("a link that was revoked or has expired, and that of a deleted comparison or project, shows nothing", async () => {
  const revoked = await saveComparison(own);
  const { token } = (await share(revoked)).data;
  expect((await revoke(revoked)).data).toEqual({ expiresAt: null });
  expect((await revoke(revoked)).data).toEqual({ expiresAt: null });
  expect(await get(revoked)).toEqual({ expiresAt: null });
  const expired = await saveComparison(own);
  const { token: old } = (await share(expired)).data;
  const expiresAt = new Date(Date.now() - 1_000);
  await db.update(verification).set({ expiresAt }).where(eq(verification.value, expired));
  const removed = await saveComparison(own);
  const { token: gone } = (await share(removed)).data;
  await deleteComparison(testContext(), { projectId: own.projectId, comparisonId: removed });
  expect(await db.$count(verification, eq(verification.value, removed))).toBe(0);
  const other = await createPopulatedProject({ name: "Leaving" });
  const params = { projectId: other.projectId, comparisonId: other.comparisonId };
  const leaving = await callRoute<NewComparisonLink>(createRoute, { as: ada, body: {}, params });
  await db.update(projects).set({ deletedAt: new Date() }).where(eq(projects.id, other.projectId));
  const answers: Awaited<ReturnType<typeof open>>[] = [];
  for (const one of [token, old, gone, leaving.data.token, "made-up"]) answers.push(await open(one));
  expect(answers.map(({ status, error }) => [status, error?.message])).toEqual(
    answers.map(() => [404, answers[0]!.error!.message]),
  );
});

test("creation and revocation are in the audit log, and a viewer may do neither", async () => {
  const comparisonId = await saveComparison(own);
  await share(comparisonId);
  await revoke(comparisonId);
  await revoke(comparisonId);
  const entries = await db.select().from(auditLog).where(eq(auditLog.entityId, comparisonId));
  expect(entries.map(({ action, actorId }) => [action, actorId]).slice(-2)).toEqual([
    ["comparison.shared", ada.id],
    ["comparison.unshared", ada.id],
  ]);
  const viewer = await createUser({ role: "analyst" });
  const { projectId } = own;
  await db.update(projects).set({ access: "restricted" }).where(eq(projects.id, projectId));
  await addProjectMember(testContext(), { projectId, userId: viewer.id, role: "viewer" });
  expect((await share(comparisonId, {}, viewer)).status).toBe(403);
  await db.update(projects).set({ access: "open" }).where(eq(projects.id, projectId));
});

test("openings are limited for each network", async () => {
  const { token } = (await share()).data;
  const statuses: number[] = [];
  for (let count = 0; count < 31; count++) statuses.push((await open("made-up")).status);
  expect(statuses).toEqual([...Array(30).fill(404), 429]);
  expect((await open(token, { "x-client-address": "198.51.100.1" })).status).toBe(200);
});

test("links do not exist unless the operator permits them, and end when the operator forbids them", async () => {
  const { token } = (await share()).data;
  setEnvironment({ COMPARISON_LINKS: "" });
  const statuses = [await share(), await revoke(), await open(token)].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404]);
});
