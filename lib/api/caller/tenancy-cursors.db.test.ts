import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { session } from "#db/schema/users";
import type { Column } from "#lib/contract/table";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { restoreVersion } from "#lib/domain/datasets/restore-version";
import { addProjectMember } from "#lib/domain/project-members/change-project-members";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { requestRun } from "#lib/domain/scenarios/runs/request-run";
import { testWebhook } from "#lib/domain/webhooks/deliveries";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { type Caller, callRoute, createKey, createUser, testContext } from "#testing/api";
import { override } from "#testing/call-parts";
import { idFields } from "#testing/id-fields";
import { createModel } from "#testing/model-factory";
import { createNeighbours, distinguishable } from "#testing/neighbours";
import {
  createCsvUpload,
  createReadyCheckpoint,
  createSpareWebhook,
  type PopulatedProject,
  saveComparison,
} from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { base64 } from "#testing/scenario-factory";
import { storePanelScenario } from "#testing/stored-scenario";
import { validCalls } from "#testing/valid-calls";

await createTestDatabase();
const cases = await routeCases();
const relations = ["stranger", "upstream", "downstream"] as const;

/** Groups of actuals need a trained model of many series. Their cursors are sealed like those of `difference`. */
const unplayed = "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/actuals";
const lists = cases.flatMap((item) =>
  idFields(item.handler.declaration)
    .filter(() => item.name !== unplayed)
    .filter((field) => field === "cursor")
    .map((field): [string, RouteCase] => [`${item.name} ${field}`, item]),
);

const seriesCsv = "day,store,demand\n2024-01-01,A,1\n2024-01-01,B,2\n";
const seriesOptions = { target: "demand", timestamp: "day", series: ["store"] };

const world = await createNeighbours();
/** Calls whose first page is followed by another one, of lists that need more than `limit`. */
const longLists = new Map<string, { params?: Record<string, string>; query: Record<string, string> }>();
const scenariosName = "GET /api/v1/projects/{projectId}/scenarios";
const panelRows = ["A", "B"].map((store) => ({ store, item: "1", region: "south", time: 0, prediction: 1 }));
const inputs = ["temp", "wind"].map(
  (name): Column => ({ name, type: "number", values: Float64Array.of(1, 2) }),
);
// Every list has a second page.
for (const relation of relations) {
  const { projectId, scenarioId, checkpointId, datasetId: versionId } = world[relation];
  await createKey({ projectId });
  await requestRun(testContext(), { projectId, scenarioId });
  const { id: userId } = await createUser({ role: "analyst" });
  await addProjectMember(testContext(), { projectId, userId, role: "viewer" });
  await createModel({ projectId });
  await createReadyCheckpoint(projectId);
  await saveComparison(world[relation]);
  await createSpareWebhook(world[relation]);
  await testWebhook(testContext(), world[relation]);
  await createCsvUpload(projectId);
  await restoreVersion(testContext(), { projectId, versionId });
  await putDataset(testContext(), { projectId, fileData: base64(seriesCsv), ...seriesOptions });
  const ids = [
    await storePanelScenario(projectId, panelRows, { inputs, checkpointId }),
    await storePanelScenario(projectId, panelRows, { inputs, checkpointId }),
  ];
  const [first = "", second = ""] = ids;
  const ofFirst = { projectId, scenarioId: first };
  longLists.set(`${scenariosName}/compare ${relation}`, { query: { ids: ids.join(), by: "store" } });
  const baseline = { baselineId: second, by: "store" };
  longLists.set(`${scenariosName}/{scenarioId}/difference ${relation}`, { params: ofFirst, query: baseline });
  const { params } = await validCalls[`${scenariosName}/{scenarioId}/overrides`]!(world[relation]);
  await createOverride(testContext(), { projectId, scenarioId: params!.scenarioId!, ...override });
}
await database()
  .insert(session)
  .values({
    id: newId(),
    token: newId(),
    userId: world.admin.id,
    expiresAt: new Date(Date.now() + 86_400_000),
  });

test("some lists have cursors", () => {
  expect(lists.length).toBeGreaterThan(5);
});

describe.each(lists)("%s", (_name, item) => {
  const callAs = async (as: Caller, own: PopulatedProject, { limit = "2", cursor = "" }) => {
    const relation = relations.find((name) => world[name] === own);
    const valid = await validCalls[item.name]!(own);
    const { params = valid.params ?? {}, query } = longLists.get(`${item.name} ${relation}`) ?? { query: {} };
    const page = { ...query, limit, ...(cursor !== "" && { cursor }) };
    return callRoute<{ id: string }[]>(item.handler, { ...item.call({ params, query: page }), as });
  };

  test.each(relations)(
    "a cursor of the %s returns the same error as an invented cursor",
    async (relation) => {
      const page = await callAs(world.admin, world[relation], { limit: "1" });
      const stolen = /cursor=([^&>]+)/.exec(page.headers.get("link") ?? "")?.[1];
      expect(stolen, "there is a second page").toBeDefined();
      const key = await createKey({ projectId: world.own.projectId });
      if (!item.ids.includes("projectId")) {
        // This list belongs to no project: a session sees everything, a key at most its own project.
        const { status, data } = await callAs(key, world.own, { cursor: stolen! });
        const strange = status === 200 && data.some(({ id }) => id !== world.own.projectId);
        expect([status, strange]).toEqual([expect.toBeOneOf([200, 403]), false]);
        return;
      }
      for (const as of [key, world.analyst, world.admin]) {
        const withStolen = await callAs(as, world.own, { cursor: stolen! });
        expect([400, 403]).toContain(withStolen.status);
        const cursor = cursorOf(["made up"]);
        expect(distinguishable(withStolen)).toEqual(distinguishable(await callAs(as, world.own, { cursor })));
      }
    },
  );
});

const cursorOf = (values: unknown) => Buffer.from(JSON.stringify(values)).toString("base64url");
const malformed = [
  "",
  " ",
  "\0",
  "not-an-id",
  "%00",
  "'",
  "a,b",
  "😀",
  randomUUID().toUpperCase(),
  "x".repeat(400),
];
const cursors = [[], {}, null, [null], [1e300], [-1], ["x"], ["\0"], [randomUUID()], [randomUUID(), 1]].map(
  cursorOf,
);
const times = ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-01-01T00:00:00.123456789Z"];
const inQueries = cases.flatMap((item) => {
  const { query } = item.handler.declaration;
  return query ? idFields({ query }).map((field) => [`${item.name} ${field}`, item, field] as const) : [];
});

test.each(inQueries)("%s: no value causes a 5xx response", async (_name, item, field) => {
  const { params = {}, query = {} } = await validCalls[item.name]!(world.own);
  const sent = [...malformed, ...cursors, ...times.map((time) => cursorOf([time, randomUUID()]))];
  for (const value of sent) {
    const call = item.call({ params, query: { ...query, [field]: value } });
    const { status, text } = await callRoute(item.handler, { ...call, as: world.admin });
    expect(status, `${value}: ${text}`).toBeLessThan(500);
  }
});
