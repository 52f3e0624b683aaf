import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { limits } from "#lib/contract/limits";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { endlessModel } from "#lib/engine/onnx/test-models";
import { createExportedCheckpoint, createImportTarget, repacked } from "#testing/exported-checkpoint";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { checkImport } from "./check-import.ts";
import type { CheckpointManifest } from "./checkpoint-file.ts";
import { readCheckpointFile } from "./read-checkpoint-file.ts";
import { TAR_END, tarHeader } from "./tar.ts";

await createTestDatabase();
const { source, file } = await createExportedCheckpoint();

describe("a file that is not what was exported is refused, and leaves nothing", () => {
  test("with any bit changed, cut short anywhere, or anything behind it", async () => {
    const refused = async (bytes: Uint8Array) =>
      expect(await readCheckpointFile([bytes], { keep: false }).catch((error) => error)).toBeInstanceOf(
        ModelInvalid,
      );
    const position = fc.integer({ min: 0, max: file.length - 1 });
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const altered = new Uint8Array(file);
        altered[at]! ^= 1 << bit;
        await refused(altered);
        await refused(file.subarray(0, at));
        await refused(Buffer.concat([file, altered.subarray(0, 1 + (at % 2_000))]));
      }),
    );
  });

  const rename = (name: string) => (manifest: CheckpointManifest) => {
    const { "state.json": state, ...others } = manifest.files;
    return { ...manifest, files: { ...others, [name]: state } };
  };
  test.each<[string, RegExp, () => Uint8Array | Promise<Uint8Array>]>([
    ["no tar", /no checkpoint.*neither packed nor unpacked/, () => Buffer.from("hello")],
    ["one that was compressed", /neither packed/, () => gzipSync(file)],
    ["cut short", /cut short/, () => file.subarray(0, file.length - 700)],
    ["a changed file", /"features.json" has another SHA-256/, () => changedContent("features.json")],
    [
      "a changed manifest",
      /The manifest has another SHA-256|the manifest has another SHA-256/,
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
      "a newer form",
      /newer service.*file 2/,
      () => repacked(file, { manifest: (m) => ({ ...m, version: 2 }) }),
    ],
    ["a path that leads out", /wrong at files/, () => repacked(file, { manifest: rename("../state.json") })],
    ["an absolute path", /wrong at files/, () => repacked(file, { manifest: rename("/etc/state.json") })],
    ["a file too few", /lacks state.json/, () => repacked(file, { manifest: rename("other.json") })],
    ["an unknown field", /wrong at/, () => repacked(file, { manifest: (m) => ({ ...m, more: 1 }) })],
    [
      "a file twice",
      /altered/,
      async () => {
        const copy = await repacked(file, {});
        return Buffer.concat([copy.subarray(0, -TAR_END.length), copy.subarray(1_024)]);
      },
    ],
    [
      "a size that nobody has",
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

  test("a model of another project's predictions that this one does not depend on, by name", async () => {
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
  test.each<[string, RegExp, () => Promise<Uint8Array>]>([
    ["loops", /"Loop"/, () => repacked(file, { files: { "model.onnx": endlessModel() } })],
    [
      "is another than the manifest tells",
      /another model/,
      async () => repacked(file, { files: { "state.json": await stateOf({ target: "sales" }) } }),
    ],
    [
      "wants a file that is not there",
      /lacks history.bin/,
      async () => repacked(file, { files: { "state.json": await stateOf({ files: ["history.bin"] }) } }),
    ],
  ])(
    "by its job where the hashes fit but the model %s; its label and place are free again",
    async (_, reason, make) => {
      const { projectId, sendFile } = await createImportTarget();
      const { status, data } = await sendFile(await make());
      expect(status).toBe(202);
      const job = await runJobHere(data.jobId);
      expect(job).toMatchObject({ status: "Failed", errorCode: "model_invalid" });
      expect(job.errorMessage).toMatch(reason);
      expect(await database().$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
      expect(await keptFolders(`projects/${projectId}/checkpoints`)).toEqual([]);
    },
  );

  test("one that is larger than a checkpoint may be, before it is read", async () => {
    const file = { bytes: limits.checkpointFileBytes + 1, open: () => Promise.reject(new Error("read")) };
    const refused = checkImport(database(), { projectId: source.projectId, file, field: "uploadId" });
    await expect(refused).rejects.toMatchObject({ code: "payload_too_large" });
  });
});

async function changedContent(name: string): Promise<Uint8Array> {
  const { manifest } = await readCheckpointFile([file], { keep: false });
  const altered = Buffer.from(file);
  altered[altered.indexOf(tarHeader(name, manifest.files[name]!.bytes)) + 512]! ^= 1;
  return altered;
}
