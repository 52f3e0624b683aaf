import { beforeEach, expect, test, vi } from "vitest";
import type { LiveModelResponse } from "#lib/contract/live-model";
import type { Prediction } from "#lib/contract/predictions";
import type { Contributions } from "#lib/contract/scenario-series";
import { callRoute } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { createScenario, createTrainedProject } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as liveModelRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/live-model/route.ts";
import { GET as contributionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";

// The cost of these requests depends on the model, so even the smallest of them leaves the thread that answers all others.

await createTestDatabase();
const { projectId, as } = await createTrainedProject({
  csv: dailyDemand(120),
  target: "demand",
  timestamp: "date",
  request: { algorithm: "gradient_boosting", features: { lags: [1] } },
});
const { id: scenarioId } = await createScenario({ projectId, as }, {});

const started = vi.fn();
beforeEach(() => {
  started.mockReset();
  process.on("worker", started);
  return () => process.off("worker", started);
});

test("contributions of a scenario's rows and of a prediction are computed in a thread, and add up", async () => {
  const params = { projectId, scenarioId };
  const { data } = await callRoute<Contributions>(contributionsRoute, { params, as, query: { rows: "2" } });
  const [prediction] = data.predictions;
  const sum = data.values[0]!.reduce((total, value) => total + value, data.baseValue);
  expect(sum).toBeCloseTo(prediction!, 6);
  expect(started).toHaveBeenCalledOnce();
  const { data: predicted } = await callRoute<Prediction>(predictRoute, {
    params: { projectId },
    as,
    body: { input: { date: ["2023-05-01"], price: [5] }, include: ["contributions"] },
  });
  const { baseValue, values } = predicted.contributions!;
  expect(values[0]!.reduce((total, value) => total + value, baseValue)).toBeCloseTo(
    predicted.predictions[0]!,
    6,
  );
});

test("the model of a live what-if is packed in a thread", async () => {
  const { data } = await callRoute<LiveModelResponse>(liveModelRoute, {
    params: { projectId, scenarioId },
    as,
  });
  expect(data.model).not.toBeNull();
  expect(started).toHaveBeenCalledOnce();
});
