import { expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { openModel } from "#lib/domain/models/open-model";
import { findScenarios } from "#lib/domain/scenarios/find-scenario";
import { writeInputRows } from "#lib/domain/scenarios/run/scenario-input";
import { scenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { splitDifference } from "#lib/engine/explanation/split-difference";
import { sliceRows } from "#lib/engine/table/rows";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { createScenario, createTrainedProject, train } from "#testing/scenario-factory";
import { changedFeatures, sharedFeatures } from "./changed-features.ts";
import { MixedInputs, type Side } from "./mixed-inputs.ts";
import { splitScenarios } from "./split-scenarios.ts";

const { db } = await createTestDatabase();

const DAY = 86_400_000;
/** More rows than are all evaluated with two causes. */
const ROWS = 130_000;
/** Number of rows by which the second scenario begins later. */
const LATER = 1_000;

function inputOf(side: Side): Table {
  const rowCount = ROWS;
  const numbers = (name: string, type: "number" | "timestamp", at: (row: number) => number): Column => ({
    name,
    type,
    values: Float64Array.from({ length: rowCount }, (_, row) => at(row + side * LATER)),
  });
  const columns = [
    numbers("date", "timestamp", (row) => Date.UTC(2023, 6, 20) + (row * DAY) / 24),
    numbers("price", "number", (row) => (row % 7 === 0 ? 5 + side : 5)),
  ];
  return { rowCount, columns };
}

function* inBlocks(table: Table, rows: number): Generator<Table> {
  for (let from = 0; from < table.rowCount; from += rows) yield sliceRows(table, from, from + rows);
}

test("inputs in blocks, with only some rows evaluated, give the same split as inputs in memory", async () => {
  const project = await createTrainedProject({ csv: dailyDemand(200), target: "demand", timestamp: "date" });
  const { projectId } = project;
  const first = await createScenario(project, {});
  await train(projectId, { algorithm: "ridge", features: { lags: [], calendar: false } });
  const second = await createScenario(project, { checkpointId: null });
  const found = await findScenarios(db, { projectId, scenarioIds: [first.id, second.id] });
  const artifactKeys = await Promise.all(
    found.map(async (row) => (await scenarioModels(db, row))!.folders.get(projectId)!),
  );
  const tables = [inputOf(0), inputOf(1)] as const;
  const inputKeys = found.map(({ scenario }) => `${scenario.inputKey}-long`);
  for (const side of [0, 1] as const) {
    const blocks = inBlocks(tables[side], side === 0 ? 16_384 : 5_000);
    await writeInputRows(inputKeys[side]!, blocks, { computed: [], knownUntil: null });
  }
  const predicted = ({ rowCount, columns }: Table, side: Side) => ({
    timestamps: (columns[0] as { values: Float64Array }).values,
    prediction: Float64Array.from({ length: rowCount }, (_, row) => Math.sin(row) + side),
  });
  const split = await splitScenarios({
    artifactKeys: [artifactKeys[0]!, artifactKeys[1]!],
    inputKeys: [inputKeys[0]!, inputKeys[1]!],
    stored: [predicted(tables[0], 0), predicted(tables[1], 1)],
    rowsBuildOnEachOther: false,
    readsTarget: false,
    histories: [],
    historyDiffers: false,
  });
  expect(split.players.map(({ kind, feature }) => [kind, feature])).toEqual([
    ["input", "price"],
    ["checkpoint", null],
  ]);

  const models = [await openModel(artifactKeys[0]!), await openModel(artifactKeys[1]!)] as const;
  const count = ROWS - LATER;
  const rows = [
    Int32Array.from({ length: count }, (_, point) => point + LATER),
    Int32Array.from({ length: count }, (_, point) => point),
  ] as const;
  const shared = await sharedFeatures(
    tables.map((table) => [table]),
    models,
  );
  const whole = [{ tables: [...tables], length: count, rowOf: [...rows] }];
  expect(await changedFeatures(whole, models, shared)).toEqual(["price"]);
  const mixed = new MixedInputs(tables, rows, models, shared);
  const inMemory = await splitDifference(
    {
      players: 2,
      points: count,
      together: null,
      async worth([price, checkpoint], points) {
        const model = checkpoint as Side;
        const input = mixed.atPoints(model, points, (feature) => (feature === "price" ? price : 0) as Side);
        return (await models[model].predict(input)).predictions;
      },
    },
    500_000,
  );
  const { players: _, scale: __, ...parts } = split;
  expect(parts).toEqual(inMemory);
  expect(split.points.length).toBeLessThan(count);
}, 60_000); // Splits inputs of several blocks, in memory too.
