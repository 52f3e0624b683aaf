import { beforeAll, expect, test } from "vitest";
import type { CheckpointRecord, ModelChanges } from "#lib/contract/actuals";
import type { Model } from "#lib/contract/models";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { callRoute, testContext } from "#testing/api";
import { createPanelProject, panelDay } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, type TrainedProject, train } from "#testing/scenario-factory";
import { GET as recordRoute } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/record/route.ts";
import { GET as changesRoute } from "../../../app/api/v1/projects/[projectId]/models/[modelId]/changes/route.ts";
import { GET as currentModelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";

// Models of many series are measured outside of the thread that answers all requests.

await createTestDatabase();

const SERIES = 400;
const DAYS = 40;
const NEW_DAYS = 5;

/** Returns daily sales of each store from one day up to another. */
function salesOf(from: number, to: number): string {
  const lines = Array.from({ length: SERIES }, (_, store) =>
    Array.from({ length: to - from }, (_, i) => {
      const at = from + i;
      const noise = ((at * 7919 + store * 104_729) % 101) / 101;
      return [panelDay(at), `S${store}`, (40 + store + (at % 7 < 2 ? 12 : 0) + 4 * noise).toFixed(2)].join();
    }),
  );
  return `date,store,sales\n${lines.flat().join("\n")}\n`;
}

let project: TrainedProject;
let checkpointId: string;
beforeAll(async () => {
  project = await createPanelProject(salesOf(0, DAYS), ["store"]);
  ({ checkpointId } = (await createScenario(project, {})) as { checkpointId: string });
  const fileData = base64(salesOf(DAYS, DAYS + NEW_DAYS));
  await appendRows(testContext(), { projectId: project.projectId, fileData });
});

/** Returns the result, and the share of the work that this thread did, from 0 to 1. */
async function sharedWork<T>(run: () => Promise<T>): Promise<{ result: T; share: number }> {
  const [here, all] = [process.threadCpuUsage(), process.cpuUsage()];
  const result = await run();
  const total = (use: NodeJS.CpuUsage) => use.user + use.system;
  return { result, share: total(process.threadCpuUsage(here)) / total(process.cpuUsage(all)) };
}

test("the record of a checkpoint of many series leaves this thread to other requests", async () => {
  const params = { projectId: project.projectId, checkpointId };
  const { result, share } = await sharedWork(() =>
    callRoute<CheckpointRecord>(recordRoute, { params, as: project.as }),
  );
  expect(result.data).toMatchObject({
    errors: { rows: 300 * NEW_DAYS },
    series: { measured: 300, count: SERIES },
  });
  expect(share).toBeLessThan(0.25);
});

/** Trains a model, and compares it with the one before. */
async function compareNewModel() {
  const { projectId, as } = project;
  await train(projectId, {});
  const { data: model } = await callRoute<Model>(currentModelRoute, { params: { projectId }, as });
  return sharedWork(() =>
    callRoute<ModelChanges>(changesRoute, { params: { projectId, modelId: model.id }, as }),
  );
}

test("the comparison of two models of many series leaves this thread to other requests", async () => {
  const { result, share } = await compareNewModel();
  expect(result.data).toMatchObject({ reason: null, sameRows: { series: { measured: 300, count: SERIES } } });
  expect(result.data.knownUntil).toEqual({
    before: `${panelDay(DAYS - 1)}T00:00:00.000Z`,
    after: `${panelDay(DAYS + NEW_DAYS - 1)}T00:00:00.000Z`,
  });
  // A comparison takes some 300 ms, so one large garbage collection of this thread would hide where it ran.
  const others = [await compareNewModel(), await compareNewModel()];
  expect(Math.min(share, ...others.map((other) => other.share))).toBeLessThan(0.25);
}, 120_000);
