import { expect } from "vitest";
import type { ScenarioOverride } from "#lib/contract/overrides";
import type { PredictionRow } from "#lib/contract/scenario-series";
import { updateProject } from "#lib/domain/projects/update-project";
import {
  POST as createOverrideRoute,
  GET as overridesRoute,
} from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/overrides/route.ts";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { callRoute, testContext } from "./api.ts";
import type { JobOrder } from "./job-orders.ts";
import { createScenario, createTrainedProject, getScenario, train } from "./scenario-factory.ts";
import { addDays, demandDays, listRuns, ofScenario, postRun, runAgain } from "./scenario-runs.ts";

const request = { algorithm: "ridge" as const, features: { lags: [] }, horizon: 14 };
/** Days that both the shown run and the ordered one predict. */
const overridden = { from: "2023-08-04", to: "2023-08-06", operation: "add", value: 40, reason: "Fair" };

/**
 * Prepares a later run on a new checkpoint, with new rows. Its scenario has as many runs as the project keeps, and an override.
 */
export async function prepareLaterRun(): Promise<JobOrder> {
  const project = await createTrainedProject({
    csv: demandDays(0, 200),
    target: "demand",
    timestamp: "date",
    request,
  });
  const { projectId } = project;
  await updateProject(testContext(), { projectId, change: { runsKept: 2 } });
  const { id } = await createScenario(project, {});
  await addDays(project, 200, 207);
  await runAgain(project, id);
  const override = await callRoute(createOverrideRoute, { ...ofScenario(project, id), body: overridden });
  if (override.status !== 201) throw new Error(override.text);
  await addDays(project, 207, 214);
  await train(projectId, request);
  let ordered: string | undefined;

  const rowsOf = (query: Record<string, string> = {}) =>
    callRoute<PredictionRow[]>(predictionsRoute, ofScenario(project, id, query));
  const read = async () => ({
    rows: (await rowsOf()).data,
    overrides: (await callRoute<ScenarioOverride[]>(overridesRoute, ofScenario(project, id))).data,
    runs: (await listRuns(project, id)).filter(({ status }) => status === "Completed"),
  });
  const former = await read();
  const [shown, first] = former.runs.map((run) => run.id);

  /** Expects the former run or the ordered one, each complete, and never a part of either. */
  async function expectKept(): Promise<void> {
    const before = await getScenario(project, id);
    const unfinished = ordered === undefined ? null : await rowsOf({ run: ordered });
    const now = await read();
    if ((await getScenario(project, id)).runId !== before.runId) return; // The run completed during the reads.
    const { status, runId, rowCount } = before;
    expect(status).toBe("Completed");
    expect(now.overrides).toEqual(former.overrides);
    expect(now.rows).toHaveLength(rowCount!);
    expect(now.rows.filter(({ overrideId }) => overrideId != null)).toHaveLength(3);
    const isDone = runId === ordered;
    expect(now.runs.map((run) => run.id)).toEqual(isDone ? [ordered, shown] : [shown, first]);
    if (isDone) return;
    expect(now.rows).toEqual(former.rows);
    expect(unfinished?.status ?? 409).toBe(409);
  }

  return {
    project,
    input: { date: ["2023-08-04"], price: [6] },
    expectKept,
    async order() {
      const { status, data, text } = await postRun(project, id, { checkpointId: "current" });
      if (status !== 202) throw new Error(text);
      ordered = data.runId;
      return data;
    },
  };
}
