import { describe, expect, test } from "vitest";
import { type Caller, callRoute, createKey, nobody } from "#testing/api";
import { createNeighbours } from "#testing/neighbours";
import { createTestDatabase } from "#testing/postgres";
import { routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

await createTestDatabase();
const cases = await routeCases();

/**
 * Permissions: the response to a valid request without credentials, with a key of the project, as an analyst and as an
 * admin.
 *
 * - A key has full access to its own project, except managing keys, managing members and deleting the project. Those
 *   operations return 403 `forbidden` to a key. Creating a project requires an admin session, and a key receives 403.
 * - `admin` permits everything, including members, API keys, project settings and deletion. `analyst` permits data,
 *   models, checkpoints, scenarios and jobs.
 */
// biome-ignore format: one route a line
const expected: Record<string, [nobody: number, key: number, analyst: number, admin: number]> = {
  "GET /api/v1/audit": [401, 403, 403, 200],
  "GET /api/v1/jobs/{jobId}": [401, 200, 200, 200],
  "GET /api/v1/jobs/{jobId}/mail": [401, 403, 200, 200],
  "POST /api/v1/jobs/{jobId}/mail": [401, 403, 200, 200],
  "POST /api/v1/jobs/{jobId}/cancel": [401, 200, 200, 200],
  "POST /api/v1/jobs/{jobId}/retry": [401, 202, 202, 202],
  "GET /api/v1/jobs/project/{projectId}": [401, 200, 200, 200],
  "GET /api/v1/me": [401, 200, 200, 200],
  "POST /api/v1/me/password": [401, 403, 200, 200],
  "GET /api/v1/me/sessions": [401, 403, 200, 200],
  "POST /api/v1/me/sessions/end": [401, 403, 200, 200],
  "GET /api/v1/members": [401, 403, 200, 200],
  "POST /api/v1/members": [401, 403, 403, 201],
  "GET /api/v1/members/{userId}": [401, 403, 403, 200],
  "PATCH /api/v1/members/{userId}": [401, 403, 403, 200],
  "DELETE /api/v1/members/{userId}": [401, 403, 403, 200],
  "GET /api/v1/openapi.json": [200, 200, 200, 200],
  "GET /api/v1/projects": [401, 200, 200, 200],
  "POST /api/v1/projects": [401, 403, 403, 201],
  "GET /api/v1/projects/{projectId}": [401, 200, 200, 200],
  "PATCH /api/v1/projects/{projectId}": [401, 200, 403, 200],
  "DELETE /api/v1/projects/{projectId}": [401, 403, 403, 202],
  "GET /api/v1/projects/{projectId}/decisions": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/space": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/track-record": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/uploads": [401, 200, 200, 200],
  "DELETE /api/v1/projects/{projectId}/uploads/{uploadId}": [401, 200, 200, 200],
  "PUT /api/v1/projects/{projectId}/dependencies": [401, 200, 403, 200],
  "GET /api/v1/projects/{projectId}/members": [401, 403, 403, 200],
  "POST /api/v1/projects/{projectId}/members": [401, 403, 403, 201],
  "GET /api/v1/projects/{projectId}/members/{userId}": [401, 403, 403, 200],
  "PATCH /api/v1/projects/{projectId}/members/{userId}": [401, 403, 403, 200],
  "DELETE /api/v1/projects/{projectId}/members/{userId}": [401, 403, 403, 200],
  "GET /api/v1/projects/{projectId}/webhooks": [401, 403, 403, 200],
  "POST /api/v1/projects/{projectId}/webhooks": [401, 403, 403, 201],
  "GET /api/v1/projects/{projectId}/webhooks/{webhookId}": [401, 403, 403, 200],
  "PATCH /api/v1/projects/{projectId}/webhooks/{webhookId}": [401, 403, 403, 200],
  "DELETE /api/v1/projects/{projectId}/webhooks/{webhookId}": [401, 403, 403, 200],
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/rotate": [401, 403, 403, 201],
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/test": [401, 403, 403, 202],
  "GET /api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries": [401, 403, 403, 200],
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend": [401, 403, 403, 202],
  "POST /api/v1/projects/{projectId}/deliveries/{deliveryId}/resend": [401, 403, 403, 202],
  "GET /api/v1/projects/{projectId}/audit": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/api-keys": [401, 403, 403, 200],
  "POST /api/v1/projects/{projectId}/api-keys": [401, 403, 403, 201],
  "GET /api/v1/projects/{projectId}/api-keys/{keyId}": [401, 403, 403, 200],
  "DELETE /api/v1/projects/{projectId}/api-keys/{keyId}": [401, 403, 403, 200],
  "POST /api/v1/projects/{projectId}/api-keys/{keyId}/rotate": [401, 403, 403, 201],
  "GET /api/v1/projects/{projectId}/checkpoints": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/checkpoints": [401, 202, 202, 202],
  "POST /api/v1/projects/{projectId}/checkpoints/import": [401, 202, 202, 202],
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}/export": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}/record": [401, 200, 200, 200],
  "PUT /api/v1/projects/{projectId}/checkpoints/{checkpointId}": [401, 200, 200, 200],
  "DELETE /api/v1/projects/{projectId}/checkpoints/{checkpointId}": [401, 202, 202, 202],
  "GET /api/v1/projects/{projectId}/comparisons": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/comparisons": [401, 201, 201, 201],
  "GET /api/v1/projects/{projectId}/comparisons/{comparisonId}/link": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/comparisons/{comparisonId}/link": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/comparisons/{comparisonId}/link/end": [401, 200, 200, 200],
  "POST /api/v1/shared-comparison": [200, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/comparisons/{comparisonId}": [401, 200, 200, 200],
  "PATCH /api/v1/projects/{projectId}/comparisons/{comparisonId}": [401, 200, 200, 200],
  "DELETE /api/v1/projects/{projectId}/comparisons/{comparisonId}": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/filters": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/template": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/sensitivity": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/live-model": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/goal-seek": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/preview": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/dataset": [401, 200, 200, 200],
  "PUT /api/v1/projects/{projectId}/dataset": [401, 200, 200, 200],
  "PATCH /api/v1/projects/{projectId}/dataset": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/dataset/rows": [401, 200, 200, 200],
  "PATCH /api/v1/projects/{projectId}/dataset/rows": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/dataset/rows": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/dataset/target": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/series": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/dataset/versions": [401, 200, 200, 200],
  "DELETE /api/v1/projects/{projectId}/dataset/versions/{versionId}": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/dataset/versions/{versionId}/changes": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/dataset/versions/{versionId}/restore": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/models": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/models/current": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/models/{modelId}": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/models/import": [401, 202, 202, 202],
  "POST /api/v1/projects/{projectId}/models/train": [401, 202, 202, 202],
  "POST /api/v1/projects/{projectId}/predict": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/scenarios": [401, 202, 202, 202],
  "GET /api/v1/projects/{projectId}/scenarios/compare": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/extrapolation": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/scenarios/validate": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}": [401, 200, 200, 200],
  "PATCH /api/v1/projects/{projectId}/scenarios/{scenarioId}": [401, 200, 200, 200],
  "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}": [401, 202, 202, 202],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/difference": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/extrapolation": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/generated-inputs": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/predictions": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/predictions/contributions": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/rows": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/models/{modelId}/changes": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/actuals": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/runs": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/runs": [401, 202, 202, 202],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/outlook": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/stability": [401, 200, 200, 200],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides": [401, 201, 201, 201],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides/{overrideId}": [401, 200, 200, 200],
  "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides/{overrideId}": [401, 200, 200, 200],
  "DELETE /api/v1/projects/{projectId}/overrides/{overrideId}": [401, 200, 200, 200],
  "POST /api/v1/projects/{projectId}/uploads": [401, 201, 201, 201],
  "GET /api/v1/realtime": [401, 200, 200, 200],
  "POST /api/v1/realtime/auth": [401, 200, 200, 200],
  // Once a user exists, this path does not exist.
  "POST /api/v1/setup": [404, 404, 404, 404],
};

const codes: Record<number, string> = { 401: "api_key_missing", 403: "forbidden", 404: "not_found" };

const world = await createNeighbours();

test("every route has a row and a valid request", () => {
  const names = cases.map(({ name }) => name).sort();
  expect(Object.keys(expected).sort()).toEqual(names);
  expect(Object.keys(validCalls).sort()).toEqual(names);
});

describe.each(cases.map((item) => [item.name, item] as const))("%s", (name, item) => {
  test.each(["nobody", "a key of the project", "an analyst", "an admin"] as const)("to %s", async (who) => {
    const parts = await validCalls[name]!(world.own);
    const callers: Record<typeof who, () => Caller | Promise<Caller>> = {
      nobody: () => nobody,
      "a key of the project": () => createKey({ projectId: parts.params?.projectId ?? world.own.projectId }),
      "an analyst": () => world.analyst,
      "an admin": () => world.admin,
    };
    const answer = await callRoute(item.handler, { ...item.call(parts), as: await callers[who]() });
    const status = expected[name]![Object.keys(callers).indexOf(who)]!;
    expect([answer.status, answer.error?.code], answer.text).toEqual([status, codes[status]]);
  });
});
