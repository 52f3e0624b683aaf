import { expect, test } from "vitest";
import { type Caller, createKey } from "#testing/api";
import { createErrorWorld, ofProject, unknownId } from "#testing/error-cases/error-case";
import { rejectedPlaces } from "#testing/error-cases/places";
import { createWaitingScenario, inputCsv } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import type { CallParts } from "#testing/route-cases";
import { base64 } from "#testing/scenario-factory";

// `details` is also present for a single issue with a location.

const { sql } = await createTestDatabase();
const world = await createErrorWorld(sql);
const { checkpointId, pinnedCheckpoints } = world.own;
const scenario = { title: "New", checkpointId, dependentProjectCheckpoints: pinnedCheckpoints };

const scenarios = `POST ${ofProject}/scenarios`;
const places = (name: string, parts: CallParts, as?: Caller) => rejectedPlaces(world, name, parts, as);

test("a label that is taken, under the request's field name", async () => {
  const body = { ...scenario, checkpointId: null, checkpointLabel: "Taken", fileData: base64(inputCsv) };
  await world.call(scenarios, { body });
  const place = { field: "checkpointLabel", code: "duplicate_label" };
  expect(await places(scenarios, { body })).toEqual({ code: "duplicate_label", places: [place] });
});

test("a base scenario that is unknown or not ready", async () => {
  const field = "baseScenarioId";
  expect(await places(scenarios, { body: { ...scenario, baseScenarioId: unknownId } })).toEqual({
    code: "scenario_not_found",
    places: [{ field, id: unknownId, code: "scenario_not_found" }],
  });
  const { scenarioId } = await createWaitingScenario(world.own);
  expect(await places(scenarios, { body: { ...scenario, baseScenarioId: scenarioId } })).toEqual({
    code: "scenario_not_ready",
    places: [{ field, id: scenarioId, code: "scenario_not_ready" }],
  });
});

test("an unknown checkpoint", async () => {
  const place = { field: "checkpointId", id: unknownId, code: "checkpoint_not_found" };
  const fileData = base64(inputCsv);
  for (const [name, body] of [
    [scenarios, { ...scenario, checkpointId: unknownId, fileData }],
    [`${scenarios}/validate`, { checkpointId: unknownId, fileData }],
  ] as const) {
    expect(await places(name, { body })).toEqual({ code: "checkpoint_not_found", places: [place] });
  }
});

test("a file that is not base64", async () => {
  for (const [name, body] of [
    [scenarios, { ...scenario, fileData: "%" }],
    [`PUT ${ofProject}/dataset`, { target: "demand", fileData: "%" }],
  ] as const) {
    const place = { field: "fileData", code: "invalid_base64" };
    expect(await places(name, { body })).toEqual({ code: "validation_failed", places: [place] });
  }
});

test("a channel's project", async () => {
  const query = { projectId: unknownId };
  expect(await places("GET /api/v1/realtime", { query }, world.admin)).toEqual({
    code: "project_not_found",
    places: [{ field: "projectId", id: unknownId, code: "project_not_found" }],
  });
});

test("an invalid key, and the retry of a job", async () => {
  const { id: keyId } = await createKey({ projectId: world.own.projectId, revokedAt: new Date() });
  const rotate = `POST ${ofProject}/api-keys/{keyId}/rotate`;
  expect(await places(rotate, { params: { keyId }, body: { overlapSeconds: 0 } }, world.admin)).toEqual({
    code: "validation_failed",
    places: [{ id: keyId, code: "key_not_valid" }],
  });
  const params = { jobId: (await createWaitingScenario(world.own)).jobId };
  await world.call("POST /api/v1/jobs/{jobId}/cancel", { params });
  const retry = await world.call("POST /api/v1/jobs/{jobId}/retry", { params });
  expect(retry.status, retry.text).toBe(202);
  expect(await places("POST /api/v1/jobs/{jobId}/retry", { params })).toEqual({
    code: "job_not_retryable",
    places: [{ field: "retryOf", id: (retry.data as { jobId: string }).jobId, code: "job_not_retryable" }],
  });
});

test("an upload that is not CSV, and a validation without input", async () => {
  const sent = await world.call(`POST ${ofProject}/uploads`, {
    body: "a model",
    headers: { "content-type": "application/octet-stream" },
  });
  const { uploadId } = sent.data as { uploadId: string };
  for (const name of [`${scenarios}/validate`, scenarios]) {
    const body = name === scenarios ? { ...scenario, uploadId } : { uploadId };
    const place = { field: "uploadId", id: uploadId, code: "not_csv" };
    expect(await places(name, { body })).toEqual({ code: "validation_failed", places: [place] });
  }
  expect(await places(`${scenarios}/validate`, { body: {} })).toEqual({
    code: "validation_failed",
    places: [{ field: "fileData", code: "contradiction" }],
  });
});
