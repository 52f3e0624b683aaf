// Written by lib/api/openapi/client-package.test.ts: run it with -u after a change of the API.

/** Addresses of POST requests that support `Idempotency-Key`. */
export const repeatable = new Set([
  "/jobs/{jobId}/retry",
  "/members",
  "/projects/{projectId}/api-keys/{keyId}/rotate",
  "/projects/{projectId}/api-keys",
  "/projects/{projectId}/checkpoints/import",
  "/projects/{projectId}/checkpoints",
  "/projects/{projectId}/comparisons",
  "/projects/{projectId}/dataset/rows",
  "/projects/{projectId}/dataset/versions/{versionId}/restore",
  "/projects/{projectId}/members",
  "/projects/{projectId}/models/import",
  "/projects/{projectId}/models/train",
  "/projects/{projectId}/scenarios/{scenarioId}/overrides",
  "/projects/{projectId}/scenarios/{scenarioId}/runs",
  "/projects/{projectId}/scenarios",
  "/projects/{projectId}/uploads",
  "/projects/{projectId}/webhooks/{webhookId}/rotate",
  "/projects/{projectId}/webhooks/{webhookId}/test",
  "/projects/{projectId}/webhooks",
  "/projects",
]);
