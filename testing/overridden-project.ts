import type { ScenarioOverride } from "#lib/contract/overrides";
import type { PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import {
  POST as addRoute,
  GET as listRoute,
} from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/overrides/route.ts";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { callRoute } from "./api.ts";
import { createDemandProject, demandCsv } from "./demand-project.ts";
import { createTestDatabase } from "./postgres.ts";
import { createScenario } from "./scenario-factory.ts";

type Query = Record<string, string | string[]>;

export const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** Creates a project with a model of a daily demand, and returns calls that override its scenarios. */
export async function createOverriddenProject() {
  await createTestDatabase();

  const project = await createDemandProject({ algorithm: "ridge", features: { lags: [1, 7] }, horizon: 14 });
  const { projectId, as } = project;
  const { checkpointId } = await createScenario(project, {});
  const newScenario = () => createScenario(project, { checkpointId, endDate: "2023-08-18" });

  const call = (scenarioId: string | undefined, query: Query = {}, accept = "application/json") => ({
    as,
    params: { projectId, ...(scenarioId && { scenarioId }) },
    query,
    headers: { accept },
  });
  const body = { from: "2023-07-25", to: "2023-07-27", operation: "set", value: 500, reason: "Fair in town" };
  const send = (scenarioId: string, fields: object = {}, headers: Record<string, string> = {}) =>
    callRoute<ScenarioOverride>(addRoute, { ...call(scenarioId), headers, body: { ...body, ...fields } });
  async function add(scenarioId: string, fields: object = {}): Promise<ScenarioOverride> {
    const answer = await send(scenarioId, fields);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.data;
  }
  const ofOverride = (scenarioId: string, overrideId: string) => ({
    as,
    params: { projectId, scenarioId, overrideId },
  });
  const list = async (scenarioId: string, query: Query = {}) =>
    (await callRoute<ScenarioOverride[]>(listRoute, call(scenarioId, query))).data;
  const rowsOf = async (scenarioId: string, query: Query = {}) =>
    (await callRoute<PredictionRow[]>(predictionsRoute, call(scenarioId, query))).data;
  const chartOf = async (scenarioId: string, query: Query = {}) =>
    (await callRoute<PredictionChart>(predictionsRoute, call(scenarioId, { maxPoints: "100", ...query })))
      .data;
  return {
    days: demandCsv,
    project,
    projectId,
    as,
    newScenario,
    call,
    send,
    add,
    ofOverride,
    list,
    rowsOf,
    chartOf,
  };
}
