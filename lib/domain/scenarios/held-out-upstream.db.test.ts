import { describe, expect, it } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { TrainModel } from "#lib/contract/train-model";
import { callRoute } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import {
  base64,
  createScenario,
  createTrainedProject,
  postScenario,
  type TrainedProject,
  train,
} from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as rowsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";

// For a project without a timestamp, the input is the held-out rows of its dataset. Upstream models predict from them.

await createTestDatabase();
const request: TrainModel = { algorithm: "ridge" };
const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const rows = Array.from({ length: 60 }, (_, at) => ({ a: at % 7, b: (at * 5) % 11, day: day(at), at }));
const csvOf = (header: string, line: (row: (typeof rows)[number]) => (string | number)[]) =>
  `${header}\n${rows.map((row) => line(row).join()).join("\n")}\n`;
const pins = ({ projectId }: TrainedProject) => ({ dependentProjectCheckpoints: { [projectId]: null } });

/** Trains a model whose inputs have no times. It reads `fix`, which is the same in every row of the other projects. */
const createSource = () =>
  createTrainedProject({
    csv: csvOf("a,fix,y", ({ a, b }) => [a, b, 2 * a + b]),
    target: "y",
    request,
  });

const createUser = ({ projectId }: TrainedProject, header: string, line: Parameters<typeof csvOf>[1]) =>
  createTrainedProject({
    csv: csvOf(header, line),
    target: "z",
    dependencies: [{ projectId, featureName: "forecast" }],
    request,
  });

async function readRows({ projectId, as }: TrainedProject, scenarioId: string) {
  const { data } = await callRoute<ScenarioRows>(rowsRoute, {
    params: { projectId, scenarioId },
    as,
    query: { limit: "100" },
  });
  const column = (name: string) => {
    const place = data.columns.findIndex((one) => one.name === name);
    return data.rows.map(({ input }) => input[place]);
  };
  return { column, predictions: data.rows.map(({ prediction }) => prediction) };
}

describe("generated input of a project without times", () => {
  it("has the predictions of the upstream model for the held-out rows, also in a scenario based on it", async () => {
    const source = await createSource();
    const user = await createUser(source, "a,fix,c,z", ({ a, at, b }) => [a, 3, at, 2 * at + 5 * a + b]);
    const base = await createScenario(user, pins(source));
    expect(base.rowCount).toBe(12);
    const { column, predictions } = await readRows(user, base.id);
    const predict = async (
      project: TrainedProject,
      input: Record<string, unknown[]>,
      checkpointId?: string,
    ) =>
      (
        await callRoute<Prediction>(predictRoute, {
          params: { projectId: project.projectId },
          as: project.as,
          body: { input, checkpointId },
        })
      ).data.predictions;
    const a = column("a") as number[];
    const fix = a.map(() => 3);
    expect(column("forecast")).toEqual(await predict(source, { a, fix }));
    expect(predictions).toEqual(await predict(user, { a, fix, c: column("c") as number[] }));
    await train(source.projectId, { ...request, hyperparameters: { alpha: 50 } });
    const clone = await createScenario(user, {
      ...pins(source),
      checkpointId: base.checkpointId,
      baseScenarioId: base.id,
    });
    const again = await readRows(user, clone.id);
    const pinned = clone.dependentProjectCheckpoints[source.projectId]!;
    expect(again.column("forecast")).toEqual(await predict(source, { a, fix }, pinned));
    expect(again.column("forecast")).not.toEqual(column("forecast"));
  }, 120_000);

  it("is rejected in the request if the held-out rows lack inputs of the upstream model", async () => {
    const source = await createSource();
    const user = await createUser(source, "a,c,forecast,z", ({ a, at, b }) => [a, at, a + b, 2 * at + a]);
    const { status, error } = await postScenario(user, pins(source));
    expect([status, error?.code]).toEqual([400, "input_invalid"]);
    expect(error?.details).toMatchObject([{ column: "forecast", code: "missing_column" }]);
    expect(error?.message).toContain("Train the model again, or upload a CSV with the column.");
  }, 120_000);

  it("has the times that an upstream model reads; a file without them is rejected in the request", async () => {
    const source = await createTrainedProject({
      csv: csvOf("day,a,y", ({ day, a, b }) => [day, a, 3 * a + b / 9]),
      target: "y",
      timestamp: "day",
      request: { ...request, features: { lags: [], calendar: false } },
    });
    const user = await createUser(source, "day,a,c,z", ({ day, a, at, b }) => [
      day,
      a,
      b,
      2 * a + b + (at % 2),
    ]);
    await createScenario(user, pins(source));
    const { status, error } = await postScenario(user, { ...pins(source), fileData: base64("a,c\n1,2\n") });
    expect([status, error?.code]).toEqual([400, "input_invalid"]);
  }, 120_000);
});
