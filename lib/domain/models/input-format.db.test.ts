import { expect, test } from "vitest";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import type { Model } from "#lib/contract/models";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as checkpointRoute } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { GET as modelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";

await createTestDatabase();

test("a model and its checkpoint state how their files are read, also after a dataset with other options", async () => {
  const days = Array.from({ length: 60 }, (_, day) => `${(day % 28) + 1}.${Math.floor(day / 28) + 1}.2026`);
  const rows = days.map((day, i) => `${day};${i % 7},5 €;${i % 5 === 0 ? "?" : i % 9};${3 * (i % 7) + 1}`);
  const euro = { column: "price", unit: "€", decimalMark: "," as const };
  const project = await createTrainedProject({
    csv: `day;price;visitors;sales\n${rows.join("\n")}\n`,
    target: "sales",
    timestamp: "day",
    timezone: "Europe/Berlin",
    dateOrder: "day-first" as const,
    missing: ["?"],
    numberFormats: [euro],
  });
  const { projectId, as } = project;
  const inputFormat = {
    timestampColumns: ["day"],
    timezone: "Europe/Berlin",
    dateOrder: "day-first",
    missing: ["?"],
    numberFormats: [{ ...euro, groupMark: null }],
    reading: {
      encoding: "utf-8",
      delimiter: ";",
      decimalMark: ",",
      headerRow: 1,
      columnFormats: {},
      timestampFormat: "day-month-year",
    },
  };
  const { data: model } = await callRoute<Model>(modelRoute, { params: { projectId }, as });
  expect(model.featureEngineering.inputFormat).toEqual(inputFormat);

  const fileData = base64("day;price;visitors\n1.4.2026;2,5 €;?\n2.4.2026;3,5 €;4\n");
  const { checkpointId } = await createScenario(project, { fileData });
  const plain = `day,price,visitors,sales\n${days.map((_, i) => `2026-01-${10 + (i % 20)}T${i % 24}:00Z,1,2,${i}`).join("\n")}\n`;
  await putDataset(testContext(), { projectId, fileData: base64(plain), target: "sales" });
  const params = { projectId, checkpointId: checkpointId! };
  const { data: checkpoint } = await callRoute<CheckpointDetail>(checkpointRoute, { params, as });
  expect(checkpoint.featureEngineering.inputFormat).toEqual(inputFormat);
  expect((await createScenario(project, { fileData, checkpointId })).status).toBe("Completed");
});
