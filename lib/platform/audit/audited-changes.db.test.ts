import { expect, test } from "vitest";
import { auditLog } from "#db/schema/access";
import type { AuditChange, AuditEntry } from "#lib/contract/audit";
import { newId } from "#lib/platform/ids/new-id";
import { createKey, createProject, createUser } from "#testing/api";
import { createPopulatedProject, createReadyCheckpoint, datasetCsv } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { base64 } from "#testing/scenario-factory";
import { callService } from "#testing/upgrade/call-service";

const { db } = await createTestDatabase();
const admin = await createUser();
const upstream = await createPopulatedProject({ name: "Upstream" });
const own = await createPopulatedProject({ name: "Own" });
const { projectId } = own;
const inProject = `/projects/${projectId}`;

/** Performs a call, and returns its newest entry in the audit log. */
async function entryOf(call: string, body?: object, log = `${inProject}/audit`): Promise<AuditEntry> {
  await callService(admin, call, body === undefined ? {} : { body });
  return (await callService<AuditEntry[]>(admin, `GET ${log}`)).data[0]!;
}

const change = (field: string, from: AuditChange["from"], to: AuditChange["to"]) => ({ field, from, to });

test("a scenario: title, notes and tags", async () => {
  const call = `PATCH ${inProject}/scenarios/${own.scenarioId}`;
  const renamed = await entryOf(call, { title: "Dearer", notes: "Why", tags: ["plan", "2026"] });
  expect(renamed).toMatchObject({ action: "scenario.updated", label: "Dearer" });
  expect(renamed.changes).toEqual([
    change("title", "Scenario", "Dearer"),
    change("notes", null, "Why"),
    change("tags", null, "plan, 2026"),
  ]);
  expect((await entryOf(call, { title: "Dearer" })).changes).toEqual([]);
});

test("a checkpoint: label, description and default", async () => {
  const checkpointId = await createReadyCheckpoint(projectId);
  const call = `PUT ${inProject}/checkpoints/${checkpointId}`;
  const { changes } = await entryOf(call, { label: "Spring", description: "Good" });
  expect(changes).toEqual([
    change("label", expect.stringMatching(/^Own_/) as unknown as string, "Spring"),
    change("description", null, "Good"),
  ]);
  const moved = await entryOf(call, { setAsDefault: true });
  expect(moved).toMatchObject({ action: "checkpoint.made-default", entityId: checkpointId });
  expect(moved.changes).toEqual([
    change("defaultCheckpoint", expect.stringMatching(/^Own_/) as unknown as string, "Spring"),
  ]);
});

test("a project: settings and dependencies", async () => {
  const display = { demand: { unit: "MWh", decimals: 1 } };
  const settings = await entryOf(`PATCH ${inProject}`, { name: "Renamed", display });
  expect(settings.changes).toEqual([
    change("name", "Own", "Renamed"),
    change("display.demand.unit", null, "MWh"),
    change("display.demand.decimals", null, 1),
  ]);
  const dependencies = (featureName: string) => ({
    dependencies: [{ projectId: upstream.projectId, featureName }],
  });
  await entryOf(`PUT ${inProject}/dependencies`, dependencies("load"));
  const renamed = await entryOf(`PUT ${inProject}/dependencies`, dependencies("predicted_load"));
  expect(renamed.changes).toEqual([
    change("dependencies.load", upstream.projectId, null),
    change("dependencies.predicted_load", null, upstream.projectId),
  ]);
});

test("a dataset: file, rows and settings", async () => {
  const { changes } = await entryOf(`PUT ${inProject}/dataset`, {
    fileData: base64(`${datasetCsv}7,8,38\n`),
    fileName: "more.csv",
    target: "wind",
    numberFormats: [{ column: "temp", unit: "°C" }],
  });
  expect(changes).toEqual([
    change("fileName", null, "more.csv"),
    change("rows", 3, 4),
    change("target", "demand", "wind"),
    change("numberFormats.temp.unit", null, "°C"),
    change("numberFormats.temp.decimalMark", null, "."),
  ]);
  const excluded = await entryOf(`PATCH ${inProject}/dataset`, { exclude: ["demand"] });
  expect(excluded.changes).toEqual([change("exclude", null, "demand")]);
  const rows = { fileData: base64("temp,wind,demand\n9,10,48\n") };
  expect((await entryOf(`POST ${inProject}/dataset/rows`, rows)).changes).toEqual([change("rows", 4, 5)]);
});

test("a comparison: name, titles of its scenarios, and decision", async () => {
  const { changes } = await entryOf(`PATCH ${inProject}/comparisons/${own.comparisonId}`, {
    name: "Turned",
    scenarioIds: [own.otherScenarioId, own.scenarioId],
  });
  expect(changes).toEqual([
    change("name", "Both", "Turned"),
    change("scenarios", "Dearer, Scenario", "Scenario, Dearer"),
  ]);
  const decided = await entryOf(`PATCH ${inProject}/comparisons/${own.comparisonId}`, {
    decision: { scenarioId: own.otherScenarioId, reason: "Warm" },
  });
  expect(decided.changes).toEqual([
    change("decision.scenario", null, "Scenario"),
    change("decision.reason", null, "Warm"),
    change("decision.total", null, expect.any(Number)),
  ]);
});

test("a member: role, state and new password, without the password", async () => {
  const { id } = await createUser({ name: "Bo", role: "analyst" });
  const password = "another horse battery";
  const call = `PATCH /members/${id}`;
  const entry = await entryOf(call, { name: "Cy", role: "admin", disabled: true, password }, "/audit");
  expect(entry.changes).toEqual([
    change("name", "Bo", "Cy"),
    change("role", "analyst", "admin"),
    change("disabled", false, true),
    change("password", null, null),
  ]);
  expect(JSON.stringify(await db.select().from(auditLog))).not.toContain(password);
  const created = { name: "Di", email: "di@example.com", password };
  expect((await entryOf("POST /members", created, "/audit")).changes).toEqual([
    change("role", null, "analyst"),
  ]);
});

test("a key: its end", async () => {
  const { id } = await createKey({ projectId });
  const rotate = `POST ${inProject}/api-keys/${id}/rotate`;
  await callService(admin, rotate, { body: { overlapSeconds: 60 } });
  const log = await callService<AuditEntry[]>(admin, `GET ${inProject}/audit`);
  const rotated = log.data.find(({ action }) => action === "api-key.rotated");
  const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) as unknown as string;
  expect(rotated?.changes).toEqual([change("expiresAt", null, time)]);
  expect((await entryOf(`DELETE ${inProject}/api-keys/${id}`)).changes).toEqual([
    change("revokedAt", null, time),
  ]);
});

test("an entry of an earlier version has none", async () => {
  const { id } = await createProject();
  const old = { action: "project.updated", entityType: "project", entityId: id, actorId: admin.id };
  await db.insert(auditLog).values({ id: newId(), projectId: id, ...old });
  const { data } = await callService<AuditEntry[]>(admin, `GET /projects/${id}/audit`);
  expect(data).toMatchObject([{ action: "project.updated", changes: null }]);
});
