import { buffer } from "node:stream/consumers";
import type { Sql } from "postgres";
import { expect } from "vitest";
import type { Scenario } from "#lib/contract/scenarios";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { database } from "#lib/platform/database/process-database";
import { GET as checkpointRoute } from "../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { GET as checkpointsRoute } from "../app/api/v1/projects/[projectId]/checkpoints/route.ts";
import { POST as predictRoute } from "../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as projectRoute } from "../app/api/v1/projects/[projectId]/route.ts";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as scenarioRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { GET as scenariosRoute } from "../app/api/v1/projects/[projectId]/scenarios/route.ts";
import { callRoute } from "./api.ts";
import { checkInvariants } from "./invariants.ts";
import type { TrainedProject } from "./scenario-factory.ts";

/**
 * Expects the database and all that a caller sees of a project to be consistent at any moment. Listed checkpoints have
 * all their files, Completed scenarios have all their predictions, and the current model predicts. A deleted project is
 * not found.
 */
export async function expectWhole(
  sql: Sql,
  { projectId, as }: TrainedProject,
  input: object = { temp: [1, 2], wind: [3, 4] },
): Promise<void> {
  await checkInvariants(sql);
  const get = <T>(route: Parameters<typeof callRoute>[0], ids: Record<string, string> = {}) =>
    callRoute<T>(route, { params: { projectId, ...ids }, as });
  const { status } = await get(projectRoute);
  const listed = await get<{ id: string }[]>(checkpointsRoute);
  if (status !== 200) {
    // The deletion also removes the project's keys, so that 401 is possible.
    for (const answer of [status, listed.status]) expect([401, 404]).toContain(answer);
    return;
  }
  for (const { id: checkpointId } of listed.data) {
    expect((await get(checkpointRoute, { checkpointId })).status).toBe(200);
    await buffer((await exportCheckpoint({ db: database() }, { projectId, checkpointId })).content);
  }
  for (const { id: scenarioId } of (await get<{ id: string }[]>(scenariosRoute)).data) {
    const before = (await get<Scenario>(scenarioRoute, { scenarioId })).data;
    const predictions = await get<unknown[]>(predictionsRoute, { scenarioId });
    const after = (await get<Scenario>(scenarioRoute, { scenarioId })).data;
    if (before.status === "Completed") expect(predictions.status).toBe(200);
    if (predictions.status === 200)
      expect([after.status, predictions.data.length]).toEqual(["Completed", after.rowCount]);
  }
  const predicted = await callRoute(predictRoute, { params: { projectId }, as, body: { input } });
  expect(predicted.status, predicted.text).toBe(200);
}
