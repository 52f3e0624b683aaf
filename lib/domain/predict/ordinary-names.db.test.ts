import { describe, expect, it } from "vitest";
import type { Comparison, Contributions } from "#lib/contract/scenario-series";
import { parseCsv } from "#lib/engine/csv/parse";
import { callRoute } from "#testing/api";
import { predict, putDataset, runScenario, validate } from "#testing/csv-entry-points";
import { createTestDatabase } from "#testing/postgres";
import { base64, createTrainedProject, getScenario } from "#testing/scenario-factory";
import { GET as datasetRoute } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { POST as appendRoute } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { GET as modelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { GET as contributionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();

/** Property names of every object, and text that spreadsheets execute as a formula. */
const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "=1+1"];
const target = "valueOf";
const rowOf = (at: number) => [
  Math.sin(at) * 9,
  ["a", "__proto__", "toString"][at % 3]!,
  at % 7,
  at % 2 === 0,
  (at * 5) % 11,
];
const answerOf = (at: number) => {
  const [x, kind, week, open, other] = rowOf(at) as [number, string, number, boolean, number];
  return 2 * x + (kind === "__proto__" ? 9 : 1) + 3 * week + (open ? 4 : 0) + other;
};
const csvOf = (rows: number[], withTarget = false) =>
  [
    [...names, ...(withTarget ? [target] : [])].join(","),
    ...rows.map((at) => [...rowOf(at), ...(withTarget ? [answerOf(at)] : [])].join(",")),
  ].join("\n");
const rows = Array.from({ length: 20 }, (_, at) => 300 + at);
/** Written by hand, because `__proto__` in an object literal sets the prototype. */
const json = `{${names.map((name, column) => `${JSON.stringify(name)}:${JSON.stringify(rows.map((at) => rowOf(at)[column]))}`).join(",")}}`;

let checkpointId: string;
const csv = csvOf(
  Array.from({ length: 300 }, (_, at) => at),
  true,
);
const project = await createTrainedProject({ csv, target, request: { algorithm: "gradient_boosting" } });
const inProject = (params: Record<string, string> = {}) => ({
  params: { projectId: project.projectId, ...params },
  as: project.as,
});

describe("columns named __proto__, constructor, toString, hasOwnProperty", () => {
  it("work in the dataset, with appended rows, and in the model", async () => {
    const added = await callRoute(appendRoute, {
      ...inProject(),
      body: { fileData: base64(csvOf([300, 301], true)) },
    });
    expect([added.text, added.status]).toEqual([expect.anything(), 200]);
    const dataset = await callRoute<{ columns: { name: string }[]; rowCount: number }>(
      datasetRoute,
      inProject(),
    );
    expect(dataset.data.columns.map(({ name }) => name)).toEqual([...names, target]);
    expect(dataset.data.rowCount).toBe(302);
    const model = await callRoute<{
      inputFeatures: { name: string }[];
      importance: { feature: string }[];
      trainingMetrics: { validation: { r2: number } };
    }>(modelRoute, inProject());
    expect(model.data.inputFeatures.map(({ name }) => name)).toEqual(names);
    expect(model.data.importance.map(({ feature }) => feature)).toEqual(
      expect.arrayContaining(["__proto__", "constructor"]),
    );
    expect(model.data.trainingMetrics.validation.r2).toBeGreaterThan(0.9);
  });

  it("work in predictions, contributions, scenarios and their files, with bit-identical values", async () => {
    const { data: predicted } = await predict(project, json, ["contributions"]);
    expect(predicted.warnings).toEqual([]);
    for (const [index, at] of rows.entries()) {
      expect(Math.abs(predicted.predictions[index]! - answerOf(at))).toBeLessThan(8);
    }
    expect(predicted.contributions?.features.sort()).toEqual(names.toSorted());
    const source = { fileData: base64(csvOf(rows)) };
    expect((await validate(project, source)).data).toMatchObject({ valid: true, warnings: [] });
    const scenario = await runScenario(project, source);
    expect(scenario.predictions).toEqual(predicted.predictions);
    checkpointId = (await getScenario(project, scenario.scenarioId)).checkpointId!;
    const { data } = await callRoute<Contributions>(contributionsRoute, {
      ...inProject({ scenarioId: scenario.scenarioId }),
      query: { rows: "1,20" },
    });
    expect(data.features.toSorted()).toEqual(names.toSorted());
    const file = await callRoute(predictionsRoute, {
      ...inProject({ scenarioId: scenario.scenarioId }),
      headers: { accept: "text/csv" },
    });
    expect(file.text.split("\r\n")[0]).toBe(
      "__proto__,constructor,toString,hasOwnProperty,'=1+1,prediction,lower,upper",
    );
    expect(parseCsv(file.text).header.slice(0, 5)).toEqual(names);
    const again = await runScenario(project, { fileData: base64(file.text), checkpointId });
    expect(again.predictions).toEqual(predicted.predictions);
  });

  it("work in what-if scenarios and comparisons", async () => {
    const { scenarioId: base } = await runScenario(project, { fileData: base64(csvOf(rows)), checkpointId });
    const { scenarioId: changed } = await runScenario(project, {
      baseScenarioId: base,
      checkpointId,
      adjustments: [
        {
          feature: "__proto__",
          operation: "add",
          value: 1,
          where: [{ feature: "constructor", operator: "=", value: "__proto__" }],
        },
        {
          feature: "constructor",
          operation: "set",
          value: "toString",
          where: [{ feature: "toString", operator: "=", value: 3 }],
        },
      ],
    });
    const { data } = await callRoute<Comparison>(compareRoute, {
      ...inProject(),
      query: { ids: `${base},${changed}` },
    });
    const inputs = new Map(data.differs.inputs.map(({ feature, changedRows }) => [feature, changedRows]));
    expect([...inputs.keys()].sort()).toEqual(["__proto__", "constructor"]);
    expect(inputs.get("__proto__")).toBe(rows.filter((at) => rowOf(at)[1] === "__proto__").length);
  });

  it("are named in issues when they are missing or invalid", async () => {
    const { error } = await predict(project, json.replace('"__proto__"', '"__porto__"'));
    expect(error?.details).toMatchObject([
      { column: "__proto__", code: "missing_column", nearest: "__porto__" },
    ]);
    const wrong = await predict(project, json.replace(/"__proto__":\[[^,]*/, '"__proto__":["0x1"'));
    expect(wrong.error?.details).toMatchObject([{ row: 1, column: "__proto__", code: "hexadecimal_number" }]);
    const absent = await putDataset(project, {
      fileData: base64("a,b\n1,2"),
      target: "__proto__",
      exclude: ["constructor"],
    });
    expect(absent.error?.details).toMatchObject([{ column: "__proto__" }, { column: "constructor" }]);
  });
});
