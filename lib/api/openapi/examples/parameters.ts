import { ids } from "./ids.ts";

/** A value of each parameter, by its name: the same name means the same everywhere. */
export const parameterExamples: Record<string, unknown> = {
  projectId: ids.project,
  checkpointId: ids.checkpoint,
  scenarioId: ids.scenario,
  modelId: ids.model,
  keyId: ids.apiKey,
  jobId: ids.job,
  userId: ids.user,
  limit: 50,
  cursor: "WyIwMTkwZjNjOC03ZDJlLTdjMWEtOWE1My00ZjFjMmIzZDRlNWYiXQ",
  status: ["Pending", "Running"],
  type: ["CreateScenario"],
  entityType: ["checkpoint", "scenario"],
  actorId: ids.user,
  rows: "1,2,28",
  ids: `${ids.scenario},${ids.otherScenario}`,
  baselineId: ids.otherScenario,
  maxPoints: 500,
  offset: 400,
  include: "usage",
  from: "2026-02-01",
  to: "2026-02-28",
  "Idempotency-Key": "4f1b2c3d-nightly-2026-02-01",
  "If-Match": '"oUqQ1cXhG4xkZC1Vb6nX8mK2dTs"',
  "If-None-Match": '"oUqQ1cXhG4xkZC1Vb6nX8mK2dTs"',
};
