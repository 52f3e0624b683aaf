import { describe, expect, it } from "vitest";
import type { Extrapolation, Extrapolations } from "#lib/contract/extrapolation";
import type { Prediction } from "#lib/contract/predictions";
import type { Scenario, ScenarioValidation } from "#lib/contract/scenarios";
import type { TrainModel } from "#lib/contract/train-model";
import { callRoute } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject, postScenario, train } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as extrapolationRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/extrapolation/route.ts";
import { GET as extrapolationsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/extrapolation/route.ts";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

await createTestDatabase();

const request: TrainModel = { algorithm: "ridge", features: { lags: [], calendar: true } };
const day = (offset: number) => new Date(Date.UTC(2023, 6, 20 + offset)).toISOString().slice(0, 10);
const csv = `date,price\n${Array.from({ length: 20 }, (_, i) => `${day(i)},6`).join("\n")}\n`;

/** The model was trained on prices from 5 to 8.333. */
const project = await createTrainedProject({
  csv: dailyDemand(200),
  target: "demand",
  timestamp: "date",
  request,
});
const base = await createScenario(project, { fileData: base64(csv) });

const validate = (body: Record<string, unknown>) =>
  callRoute<ScenarioValidation>(validateRoute, {
    params: { projectId: project.projectId },
    as: project.as,
    body,
  });
const extrapolation = async ({ id: scenarioId }: Scenario): Promise<Extrapolation> => {
  const params = { projectId: project.projectId, scenarioId };
  return (await callRoute<Extrapolation>(extrapolationRoute, { params, as: project.as })).data;
};
const dearer = (value: number, rest: object = {}) => ({ feature: "price", operation: "add", value, ...rest });

describe("validation of adjustments", () => {
  it("returns how many rows each adjustment changes, and warns of values outside the training range", async () => {
    const adjustments = [
      dearer(1, { from: day(5), to: day(9) }),
      dearer(4, { where: [{ feature: "price", operator: ">", value: 6.5 }], to: day(6) }),
      dearer(0),
    ];
    const { status, data } = await validate({ baseScenarioId: base.id, adjustments });
    expect(status).toBe(200);
    expect(data).toMatchObject({ valid: true, rowCount: 20, faults: [], changedRows: [5, 2, 0] });
    expect(data.warnings).toMatchObject([{ code: "outside_range", column: "price", rows: 2, firstRow: 6 }]);
    // Creation gives the same result and the same warning.
    const made = await createScenario(project, {
      baseScenarioId: base.id,
      checkpointId: base.checkpointId,
      adjustments,
    });
    expect(made.warnings).toEqual(data.warnings);
  });

  it("reports every adjustment that cannot be applied, as creation does", async () => {
    const adjustments = [
      { feature: "prize", operation: "add", value: 1 },
      { feature: "price", operation: "set", value: "much" },
      dearer(1, { from: day(9), to: day(5) }),
      { feature: "date", operation: "set", value: day(1) },
      dearer(1, { where: [{ feature: "weather", operator: "=", value: "fine" }] }),
    ];
    const body = { baseScenarioId: base.id, adjustments };
    const { status, data } = await validate(body);
    expect([status, data.valid, data.changedRows]).toEqual([200, false, undefined]);
    expect(data.faults.map(({ field, code }) => [field, code])).toEqual([
      ["adjustments.0", "unknown_feature"],
      ["adjustments.1", "wrong_type"],
      ["adjustments.2", "after_to"],
      ["adjustments.3", "wrong_type"],
      ["adjustments.4", "unknown_feature"],
    ]);
    expect(data.faults[0]?.message).toContain('Did you mean "price"?');
    const rejected = await postScenario(project, body);
    expect([rejected.status, rejected.error?.code, rejected.error?.details]).toEqual([
      ...[400, "validation_failed", data.faults],
    ]);
  });

  it("rejects a missing base scenario, two sources, and a base scenario that is unknown or not ready", async () => {
    const ask = async (body: Record<string, unknown>) => {
      const { status, error } = await validate(body);
      return [status, error?.code, error?.details?.[0]?.field];
    };
    expect(await ask({ fileData: base64(csv), adjustments: [dearer(1)] })).toEqual([
      ...[400, "validation_failed", "adjustments"],
    ]);
    expect(await ask({ fileData: base64(csv), baseScenarioId: base.id })).toEqual([
      ...[400, "validation_failed", "fileData"],
    ]);
    const unknown = { baseScenarioId: crypto.randomUUID() };
    expect(await ask(unknown)).toEqual([404, "scenario_not_found", "baseScenarioId"]);
    const { data } = await postScenario(project, {});
    expect(await ask({ baseScenarioId: data.scenarioId })).toEqual([
      ...[409, "scenario_not_ready", "baseScenarioId"],
    ]);
  });
});

it("returns the times of adjustments in UTC, and dates as sent", async () => {
  const made = (...spans: { from?: string; to?: string }[]) =>
    createScenario(project, {
      baseScenarioId: base.id,
      checkpointId: base.checkpointId,
      adjustments: spans.map((span) => dearer(1, span)),
    });
  const sent = await made(
    { from: `${day(5)}T02:00:00+02:00`, to: `${day(8)}T00:00:00` },
    { from: `${day(9)}T00:00:00Z`, to: day(9) },
  );
  expect(sent.adjustments).toEqual([
    dearer(1, { from: `${day(5)}T00:00:00.000Z`, to: `${day(8)}T00:00:00.000Z` }),
    dearer(1, { from: `${day(9)}T00:00:00Z`, to: day(9) }),
  ]);
  const plain = await made({ from: day(5), to: day(8) }, { from: day(9), to: day(9) });
  expect(sent.summary).toEqual(plain.summary);
});

it("adjustments can be replayed on another checkpoint, and stay with the scenario", async () => {
  const adjustments = [dearer(1, { from: day(5) })];
  const recipe = { baseScenarioId: base.id, adjustments };
  const first = await createScenario(project, { ...recipe, checkpointId: base.checkpointId });
  await train(project.projectId, { ...request, hyperparameters: { alpha: 500 } });
  const replayed = await createScenario(project, recipe);
  expect(replayed).toMatchObject({ source: "Clone", baseScenarioId: base.id, adjustments, rowCount: 20 });
  expect(replayed.checkpointId).not.toBe(first.checkpointId);
  expect(replayed.summary?.mean).not.toBe(first.summary?.mean);
  // The adjusted scenario as base, without adjustments, gives the same input.
  const asBase = { baseScenarioId: first.id, checkpointId: replayed.checkpointId };
  expect((await createScenario(project, asBase)).summary).toEqual(replayed.summary);
});

describe("extrapolation of a scenario", () => {
  it("is reported by feature and by stretch of time", async () => {
    expect(await extrapolation(base)).toEqual({ rowCount: 20, features: [], spans: [] });
    const adjustments = [dearer(5, { from: day(3), to: day(4) }), dearer(-3, { from: day(10), to: day(10) })];
    const far = await createScenario(project, {
      baseScenarioId: base.id,
      checkpointId: base.checkpointId,
      adjustments,
    });
    const found = await extrapolation(far);
    const at = (offset: number) => `${day(offset)}T00:00:00.000Z`;
    expect(found.features).toMatchObject([
      {
        feature: "price",
        rows: 3,
        firstRow: 4,
        firstTimestamp: at(3),
        range: { least: 3, greatest: 11 },
        unseen: null,
      },
    ]);
    expect(found.spans).toEqual([
      { firstRow: 4, lastRow: 5, from: at(3), to: at(4), features: ["price"] },
      { firstRow: 11, lastRow: 11, from: at(10), to: at(10), features: ["price"] },
    ]);
    expect(far.warnings).toMatchObject([{ code: "outside_range", column: "price", rows: 3, firstRow: 4 }]);
    const several = await callRoute<Extrapolations>(extrapolationsRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      query: { ids: `${far.id},${base.id}` },
    });
    expect(several.data.scenarios).toEqual([
      { scenarioId: far.id, ...found },
      { scenarioId: base.id, rowCount: 20, features: [], spans: [] },
    ]);
  });

  it("is reported by predict with the same warnings", async () => {
    const { data } = await callRoute<Prediction>(predictRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      body: { checkpointId: base.checkpointId, input: { date: [day(0), day(1)], price: [6, 50] } },
    });
    expect(data.warnings).toMatchObject([
      { code: "outside_range", column: "price", rows: 1, firstRow: 2, range: { greatest: 50 } },
    ]);
  });

  it("is reported once, with the number of rows beyond the horizon, for a file that is predicted in parts", async () => {
    const withHorizon = await createTrainedProject({
      csv: dailyDemand(200),
      target: "demand",
      timestamp: "date",
      request: { ...request, horizon: 14 },
    });
    const hour = (row: number) => new Date(Date.parse(day(0)) + row * 3_600_000).toISOString();
    const rows = Array.from({ length: 20_000 }, (_, row) => `${hour(row)},6`);
    const { warnings } = await createScenario(withHorizon, {
      fileData: base64(`date,price\n${rows.join("\n")}\n`),
    });
    const message = `${(20_000 - 14 * 24).toLocaleString("en")} rows lie more than 14 days after the last known row. The model was not validated that far ahead.`;
    expect(warnings).toEqual([{ code: "beyond_horizon", column: "date", rows: 20_000 - 14 * 24, message }]);
  });
});
