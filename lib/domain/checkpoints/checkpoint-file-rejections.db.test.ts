import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { limits } from "#lib/contract/limits";
import { writeLearner } from "#lib/engine/inference/learner-file";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { database } from "#lib/platform/database/process-database";
import {
  createExportedCheckpoint,
  createImportTarget,
  exportDemandCheckpoint,
  repacked,
} from "#testing/exported-checkpoint";
import { keptFolders } from "#testing/kept-folders";
import { endlessModel } from "#testing/onnx-models";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { checkImport } from "./check-import.ts";
import type { CheckpointManifest } from "./checkpoint-file.ts";
import { readCheckpointFile } from "./read-checkpoint-file.ts";
import { TAR_END, tarHeader } from "./tar.ts";

await createTestDatabase();
const { source, file } = await createExportedCheckpoint();
/** A checkpoint of a linear model that this service trained. */
const exported = await exportDemandCheckpoint();

describe("rejects a file that differs from the export, and stores nothing", () => {
  test("with any bit changed, truncated anywhere, or with appended bytes", async () => {
    const rejected = async (bytes: Uint8Array) =>
      expect(await readCheckpointFile([bytes], { keep: false }).catch((error) => error)).toBeInstanceOf(
        ModelInvalid,
      );
    const position = fc.integer({ min: 0, max: file.length - 1 });
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const altered = new Uint8Array(file);
        altered[at]! ^= 1 << bit;
        await rejected(altered);
        await rejected(file.subarray(0, at));
        await rejected(Buffer.concat([file, altered.subarray(0, 1 + (at % 2_000))]));
      }),
    );
  });

  const relabelled = (changes: object) => repacked(file, { manifest: (m) => ({ ...m, ...changes }) });
  const remodelled = (changes: object) =>
    repacked(file, { manifest: (m) => ({ ...m, model: { ...m.model, ...changes } }) });
  const renamedFeature = (name: string) =>
    repacked(file, {
      manifest: (m) => ({
        ...m,
        model: { ...m.model, inputFeatures: m.model.inputFeatures.map((one) => ({ ...one, name })) },
      }),
    });
  const rename = (name: string) => (manifest: CheckpointManifest) => {
    const { "state.json": state, ...others } = manifest.files;
    return { ...manifest, files: { ...others, [name]: state } };
  };
  test.each<[string, RegExp, () => Uint8Array | Promise<Uint8Array>]>([
    ["no tar", /not a checkpoint.*neither packed nor unpacked/, () => Buffer.from("hello")],
    ["a compressed file", /neither packed/, () => gzipSync(file)],
    ["cut short", /cut short/, () => file.subarray(0, file.length - 700)],
    ["a changed file", /SHA-256 of "features.json" does not match/, () => changedContent("features.json")],
    [
      "a changed manifest",
      /the manifest does not match its SHA-256/,
      () => {
        const altered = Buffer.from(file);
        altered[600]! ^= 1;
        return altered;
      },
    ],
    [
      "a newer engine",
      /newer service.*engine 99/,
      () => repacked(file, { manifest: (m) => ({ ...m, engine: 99 }) }),
    ],
    [
      "a newer format",
      /newer service.*file format 2/,
      () => repacked(file, { manifest: (m) => ({ ...m, version: 2 }) }),
    ],
    [
      "a path outside of the folder",
      /wrong at files/,
      () => repacked(file, { manifest: rename("../state.json") }),
    ],
    ["an absolute path", /wrong at files/, () => repacked(file, { manifest: rename("/etc/state.json") })],
    ["a missing file", /lacks state.json/, () => repacked(file, { manifest: rename("other.json") })],
    ["NUL in the label", /label contains a character/, () => relabelled({ label: "a\0b" })],
    ["half a surrogate pair", /description contains/, () => relabelled({ description: "a\uD800" })],
    [
      "an escape character in the label",
      /wrong at label: Use one line/,
      () => relabelled({ label: "a\u001Bb" }),
    ],
    ["NUL in a feature's name", /inputFeatures\.0\.name contains/, () => renamedFeature("te\0mp")],
    ["an invisible model name", /wrong at model\.modelName/, () => remodelled({ modelName: "\u200B" })],
    ["too many training rows", /wrong at model\.trainingRows/, () => remodelled({ trainingRows: 1e12 })],
    [
      "an unknown group of metrics",
      /wrong at model\.trainingMetrics/,
      () => remodelled({ trainingMetrics: { train: null, validation: null, baseline: null, more: "" } }),
    ],
    ["an unknown field", /wrong at/, () => repacked(file, { manifest: (m) => ({ ...m, more: 1 }) })],
    [
      "a duplicate file",
      /altered/,
      async () => {
        const copy = await repacked(file, {});
        return Buffer.concat([copy.subarray(0, -TAR_END.length), copy.subarray(1_024)]);
      },
    ],
    [
      "a file size beyond any limit",
      /altered|cut short/,
      () =>
        repacked(file, {
          manifest: (m) => ({
            ...m,
            files: { ...m.files, "state.json": { ...m.files["state.json"]!, bytes: 8e12 } },
          }),
        }),
    ],
  ])("%s", async (_, reason, make) => {
    const { projectId, sendFile } = await createImportTarget();
    const { status, error } = await sendFile(await make());
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
    expect(error?.message).toMatch(reason);
    expect(error?.details).toMatchObject([{ field: "fileData", code: "checkpoint_file_invalid" }]);
    expect(await database().$count(jobs, eq(jobs.projectId, projectId))).toBe(0);
    expect(await keptFolders(`projects/${projectId}`)).toEqual([]);
  });

  test("with the names of upstream projects that are not dependencies", async () => {
    const { sendFile } = await createImportTarget();
    const feature = { role: "upstream", sourceProjectId: source.projectId };
    const bytes = await repacked(file, {
      manifest: (m) => ({
        ...m,
        model: { ...m.model, inputFeatures: m.model.inputFeatures.map((one) => ({ ...one, ...feature })) },
      }),
    });
    const { error } = await sendFile(bytes);
    expect(error).toMatchObject({
      code: "dependency_unknown",
      details: [
        { id: source.projectId, column: "temp" },
        { id: source.projectId, column: "wind" },
      ],
    });
  });

  const stateOf = async (changes: object) => {
    const { files } = await readCheckpointFile([file], { keep: true });
    return Buffer.from(JSON.stringify({ ...JSON.parse(String(files.get("state.json"))), ...changes }));
  };
  /** Returns the checkpoint with one field of one file changed. */
  const withField = async (name: string, field: string, value: unknown) => {
    const { files } = await readCheckpointFile([exported], { keep: true });
    const json: unknown = JSON.parse(String(files.get(name)));
    return repacked(exported, {
      files: { [name]: Buffer.from(JSON.stringify({ ...(json as object), [field]: value })) },
    });
  };
  /** Returns the checkpoint with one tree of three nodes as its learner, with some arrays replaced. */
  const withTrees = async (changes: { left?: number[]; feature?: number[] }) => {
    const { files } = await readCheckpointFile([exported], { keep: true });
    const { coefficients } = JSON.parse(String(files.get("learner.json"))) as { coefficients: number[] };
    const tree = {
      feature: Int32Array.from(changes.feature ?? [0, -1, -1]),
      threshold: Float32Array.of(1, 0, 0),
      left: Int32Array.from(changes.left ?? [1, 0, 0]),
      right: Int32Array.of(2, 0, 0),
      missingLeft: Uint8Array.of(1, 0, 0),
      value: Float32Array.of(0, 1, 2),
      cover: Float64Array.of(9, 4, 5),
    };
    const featureCount = coefficients.length;
    const learner = writeLearner({ kind: "trees", baseValue: 0, featureCount, trees: [tree] });
    const json = { ...(JSON.parse(Buffer.from(learner).toString()) as object), nodeCounts: [3] };
    return repacked(exported, { files: { "learner.json": Buffer.from(JSON.stringify(json)) } });
  };
  test.each<[string, RegExp, () => Promise<Uint8Array>]>([
    ["loops", /"Loop"/, () => repacked(file, { files: { "model.onnx": endlessModel() } })],
    [
      "differs from the manifest",
      /another model/,
      async () => repacked(file, { files: { "state.json": await stateOf({ algorithm: "drift" }) } }),
    ],
    [
      "ends beyond all years",
      /state.json is wrong at lastTimestamp: /,
      async () => repacked(file, { files: { "state.json": await stateOf({ lastTimestamp: 1e300 }) } }),
    ],
    [
      "looks too far ahead",
      /state.json is wrong at horizon/,
      async () => repacked(file, { files: { "state.json": await stateOf({ horizon: 1e12 }) } }),
    ],
    [
      "has a learner of another shape",
      /learner.json is wrong at/,
      () => repacked(exported, { files: { "learner.json": Buffer.from("[]") } }),
    ],
    ...(
      [
        ["upstream.json", "features", 5],
        ["upstream.json", "features", [{ feature: "temp", sourceProjectId: crypto.randomUUID() }]],
        ["schema.json", "inputFeatures", [{}]],
        ["metrics.json", "coverage", "high"],
        ["input.json", "timezone", "Mars/Olympus"],
        ["input.json", "missing", [5]],
        ["features.json", "target", "sales"],
        ["calibration.json", "level", 2],
        ["learner.json", "intercept", null],
      ] as const
    ).map(([name, field, value]): [string, RegExp, () => Promise<Uint8Array>] => [
      `has ${JSON.stringify(value)} in ${name}, ${field}`,
      new RegExp(`^${name} is wrong at ${field}`),
      () => withField(name, field, value),
    ]),
    [
      "has texts that are no JSON",
      /metrics.json is not valid JSON/,
      () => repacked(exported, { files: { "metrics.json": Buffer.from("{") } }),
    ],
    [
      "has a truncated table",
      /backtests.bin is wrong: The table is truncated/,
      async () => {
        const { files } = await readCheckpointFile([exported], { keep: true });
        return repacked(exported, {
          files: { "backtests.bin": files.get("backtests.bin")!.subarray(0, -8) },
        });
      },
    ],
    [
      "has trees with loops",
      /learner.json is wrong at nodes: tree 1 is not a finite tree/,
      () => withTrees({ left: [0, 0, 0] }),
    ],
    [
      "has trees that test an unknown input",
      /learner.json is wrong at nodes: tree 1 is not a finite tree/,
      () => withTrees({ feature: [1_000, -1, -1] }),
    ],
    [
      "has trees without all their nodes",
      /learner.json is wrong at nodes.left: found 8 bytes, expected 12/,
      () => withTrees({ left: [1, 0] }),
    ],
    [
      "refers to a missing file",
      /lacks history.bin/,
      async () => repacked(file, { files: { "state.json": await stateOf({ files: ["history.bin"] }) } }),
    ],
  ])("in the job if the hashes match but the model %s, and frees label and slot", async (_, reason, make) => {
    const { projectId, sendFile } = await createImportTarget();
    const { status, data } = await sendFile(await make());
    expect(status).toBe(202);
    const job = await runJobHere(data.jobId);
    expect(job).toMatchObject({ status: "Failed", errorCode: "model_invalid" });
    expect(job.errorMessage).toMatch(reason);
    expect(await database().$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
    expect(await keptFolders(`projects/${projectId}/checkpoints`)).toEqual([]);
  });

  test("above the size limit, before it is read", async () => {
    const file = { bytes: limits.checkpointFileBytes + 1, open: () => Promise.reject(new Error("read")) };
    const rejected = checkImport(database(), { projectId: source.projectId, file, field: "uploadId" });
    await expect(rejected).rejects.toMatchObject({ code: "payload_too_large" });
  });
});

async function changedContent(name: string): Promise<Uint8Array> {
  const { manifest } = await readCheckpointFile([file], { keep: false });
  const altered = Buffer.from(file);
  altered[altered.indexOf(tarHeader(name, manifest.files[name]!.bytes)) + 512]! ^= 1;
  return altered;
}
