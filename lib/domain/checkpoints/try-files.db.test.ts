import { describe, expect, test } from "vitest";
import type { FeatureEngineering } from "#lib/contract/models";
import { exportDemandCheckpoint } from "#testing/exported-checkpoint";
import { createTestDatabase } from "#testing/postgres";
import { readCheckpointFile } from "./read-checkpoint-file.ts";
import { tryFiles } from "./try-files.ts";

await createTestDatabase();
const exported = await exportDemandCheckpoint();

describe("rejects a checkpoint whose parts contradict each other", () => {
  test("with a learner that lacks coefficients", async () => {
    const { manifest, files } = await readCheckpointFile([exported], { keep: true });
    const learner = { ...JSON.parse(String(files.get("learner.json"))), coefficients: [] };
    files.set("learner.json", Buffer.from(JSON.stringify(learner)));
    await expect(tryFiles(manifest, files)).rejects.toThrow(/learner.json is wrong at coefficients: found 0/);
  });

  test("with facts about the target's history that contradict the model", async () => {
    const fact = { readsTarget: true };
    const { manifest, files } = await readCheckpointFile([exported], { keep: true });
    const { model } = manifest;
    const changed = { ...model, featureEngineering: { ...model.featureEngineering, ...fact } };
    await expect(tryFiles({ ...manifest, model: changed }, files)).rejects.toThrow(
      "MANIFEST.json is wrong at model.featureEngineering.readsTarget: found true, expected false",
    );
    const metrics = JSON.parse(String(files.get("metrics.json")));
    const described = { ...metrics, featureEngineering: { ...metrics.featureEngineering, ...fact } };
    files.set("metrics.json", Buffer.from(JSON.stringify(described)));
    await expect(tryFiles(manifest, files)).rejects.toThrow(
      "metrics.json is wrong at featureEngineering.readsTarget: found true, expected false",
    );
  });

  test("with reading options that contradict its files", async () => {
    const { manifest, files } = await readCheckpointFile([exported], { keep: true });
    const format = { timestampColumns: null, timezone: "UTC", dateOrder: null, missing: ["?"] };
    files.set("input.json", Buffer.from(JSON.stringify({ version: 1, ...format })));
    const { model } = manifest;
    const stating = (inputFormat: FeatureEngineering["inputFormat"]) =>
      tryFiles(
        {
          ...manifest,
          model: { ...model, featureEngineering: { ...model.featureEngineering, inputFormat } },
        },
        files,
      );
    const stated = { ...format, dateOrder: null, numberFormats: [] };
    const wrong =
      "MANIFEST.json is wrong at model.featureEngineering.inputFormat: it differs from input.json.";
    await stating(stated);
    await expect(stating({ ...stated, missing: [] })).rejects.toThrow(wrong);
    files.delete("input.json");
    await expect(stating(stated)).rejects.toThrow(wrong);
  });
});
