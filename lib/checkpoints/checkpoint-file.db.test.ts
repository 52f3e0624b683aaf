import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import { limits } from "#lib/contract/limits";
import type { Prediction } from "#lib/contract/predictions";
import { ModelInvalid } from "#lib/ml/onnx/model-invalid";
import { endlessModel } from "#lib/ml/onnx/test-models";
import { store } from "#lib/storage/store";
import { callRoute, createKey, createProject, type TestKey, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createModel } from "#testing/model-factory";
import { createReadyCheckpoint } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { POST as cancelRoute } from "../../app/api/v1/jobs/[jobId]/cancel/route.ts";
import { POST as retryRoute } from "../../app/api/v1/jobs/[jobId]/retry/route.ts";
import { GET as exportRoute } from "../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/export/route.ts";
import { GET as getRoute } from "../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { POST as importRoute } from "../../app/api/v1/projects/[projectId]/checkpoints/import/route.ts";
import { POST as predictRoute } from "../../app/api/v1/projects/[projectId]/predict/route.ts";
import { POST as uploadRoute } from "../../app/api/v1/projects/[projectId]/uploads/route.ts";
import { checkImport } from "./check-import.ts";
import {
  type CheckpointManifest,
  MANIFEST_HASH_NAME,
  MANIFEST_NAME,
  manifestHashText,
} from "./checkpoint-file.ts";
import { exportCheckpoint } from "./export-checkpoint.ts";
import { readCheckpointFile } from "./read-checkpoint-file.ts";
import { TAR_END, tarHeader, tarPadding } from "./tar.ts";

await createTestDatabase();

type Place = { projectId: string; checkpointId: string };
let source: Place & { as: TestKey };
let file: Buffer;
beforeAll(async () => {
  const { id: projectId } = await createProject({ name: "Source" });
  await createModel({ projectId });
  const checkpointId = await createReadyCheckpoint(projectId);
  source = { projectId, checkpointId, as: await createKey({ projectId }) };
  file = await buffer((await exportCheckpoint(testContext(), source)).content);
});

async function target() {
  const { id: projectId } = await createProject({ name: "Target" });
  const as = await createKey({ projectId });
  const send = (body: object) =>
    callRoute<{ checkpointId: string; jobId: string }>(importRoute, { params: { projectId }, as, body });
  return { projectId, as, send, sendFile: (bytes: Uint8Array) => send({ fileData: base64(bytes) }) };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

async function predict({ projectId, checkpointId }: Place, as: TestKey) {
  const input = { temp: [1.1, -3, 8.25], wind: [2, 0.1, -4] };
  const body = { input, checkpointId, include: ["intervals", "contributions"] };
  const { data } = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body });
  return { ...data, checkpointId: null };
}

/** An archive as a careful attacker would write it: with changed contents, and hashes that fit them. */
async function packed({
  manifest: change = (manifest) => manifest,
  files: changed = {},
}: {
  manifest?: (manifest: CheckpointManifest) => unknown;
  files?: Record<string, Uint8Array>;
}): Promise<Buffer> {
  const { manifest, files } = await readCheckpointFile([file], { keep: true });
  for (const [name, bytes] of Object.entries(changed)) {
    files.set(name, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    manifest.files[name] = { bytes: bytes.length, sha256 };
  }
  const text = Buffer.from(JSON.stringify(change(manifest)));
  const entries: [string, Uint8Array][] = [
    [MANIFEST_NAME, text],
    [MANIFEST_HASH_NAME, manifestHashText(text)],
    ...files,
  ];
  const parts = entries.flatMap(([name, bytes]) => [
    tarHeader(name, bytes.length),
    bytes,
    tarPadding(bytes.length),
  ]);
  return Buffer.concat([...parts, TAR_END]);
}

describe("a checkpoint's file", () => {
  test("is a tar archive of the size that the answer declares, which any tar reads", async () => {
    const headers = { host: "service.test", ...source.as.headers };
    const request = new Request("http://service.test/api/v1/x", { headers });
    const response = await exportRoute(request, { params: Promise.resolve(source) });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-tar"]);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="source_\d+\.tar"$/);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(bytes.equals(file)).toBe(true);
    const folder = await mkdtemp(path.join(tmpdir(), "checkpoint-file-"));
    try {
      execFileSync("tar", ["xf", "-", "-C", folder], { input: bytes });
      const stored = await store().readManifest((await row(source)).artifactKey);
      for (const name of Object.keys(stored.files))
        expect(
          createHash("sha256")
            .update(await readFile(path.join(folder, name)))
            .digest("hex"),
        ).toBe(stored.files[name]!.sha256);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("makes a checkpoint elsewhere that predicts the same to the bit, and leaves the current model alone", async () => {
    const { projectId, as, sendFile } = await target();
    const { status, data } = await sendFile(file);
    expect(status).toBe(202);
    expect(await runJobHere(data.jobId)).toMatchObject({ status: "Completed", errorMessage: null });
    const place = { projectId, checkpointId: data.checkpointId };
    expect(await predict(place, as)).toEqual(await predict(source, source.as));
    const detail = async (of: Place, key: TestKey) =>
      (await callRoute<CheckpointDetail>(getRoute, { params: of, as: key })).data;
    const {
      id: _,
      projectId: __,
      createdAt: ___,
      createdBy: ____,
      ...told
    } = await detail(source, source.as);
    expect(await detail(place, as)).toMatchObject({ ...told, isDefault: true });
    expect((await row(place)).modelId).toBeNull();
    const again = await buffer((await exportCheckpoint(testContext(), place)).content);
    expect(again.equals(file)).toBe(true);
  });

  test("comes as an upload too; its label gets a number where it is taken, and one that is asked for is kept to", async () => {
    const { projectId, as, send } = await target();
    const { label } = await row(source);
    const headers = { "content-type": "application/octet-stream" };
    const upload = await callRoute<{ uploadId: string }>(uploadRoute, {
      ...{ params: { projectId }, as, body: new Uint8Array(file), headers },
    });
    const { uploadId } = upload.data;
    const labels: string[] = [];
    for (const body of [{ uploadId }, { uploadId }, { uploadId, label: "Mine" }]) {
      const { data } = await send(body);
      labels.push((await row(data)).label);
    }
    expect(labels).toEqual([label, `${label}_02`, "Mine"]);
    expect((await send({ uploadId, label: "Mine" })).error?.code).toBe("duplicate_label");
  });

  test("is made again by a job that is repeated", async () => {
    const { as, sendFile } = await target();
    const { data } = await sendFile(file);
    const params = { jobId: data.jobId };
    await callRoute(cancelRoute, { params, as, method: "POST" });
    const retried = await callRoute<{ jobId: string }>(retryRoute, { params, as, method: "POST" });
    const job = await runJobHere(retried.data.jobId);
    expect(job.status).toBe("Completed");
    expect(await row({ checkpointId: job.checkpointId! })).toMatchObject({ state: "ready" });
  });
});

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
    ["a newer engine", /newer service.*engine 99/, () => packed({ manifest: (m) => ({ ...m, engine: 99 }) })],
    ["a newer form", /newer service.*file 2/, () => packed({ manifest: (m) => ({ ...m, version: 2 }) })],
    ["a path that leads out", /wrong at files/, () => packed({ manifest: rename("../state.json") })],
    ["an absolute path", /wrong at files/, () => packed({ manifest: rename("/etc/state.json") })],
    ["a file too few", /lacks state.json/, () => packed({ manifest: rename("other.json") })],
    ["an unknown field", /wrong at/, () => packed({ manifest: (m) => ({ ...m, more: 1 }) })],
    [
      "a file twice",
      /altered/,
      async () => {
        const copy = await packed({});
        return Buffer.concat([copy.subarray(0, -TAR_END.length), copy.subarray(1_024)]);
      },
    ],
    [
      "a size that nobody has",
      /altered|cut short/,
      () =>
        packed({
          manifest: (m) => ({
            ...m,
            files: { ...m.files, "state.json": { ...m.files["state.json"]!, bytes: 8e12 } },
          }),
        }),
    ],
  ])("%s", async (_, reason, make) => {
    const { projectId, sendFile } = await target();
    const { status, error } = await sendFile(await make());
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
    expect(error?.message).toMatch(reason);
    expect(error?.details).toMatchObject([{ field: "fileData", code: "checkpoint_file_invalid" }]);
    expect(await database().$count(jobs, eq(jobs.projectId, projectId))).toBe(0);
    expect(await keptFolders(`projects/${projectId}`)).toEqual([]);
  });

  test("a model of another project's predictions that this one does not depend on, by name", async () => {
    const { sendFile } = await target();
    const feature = { role: "upstream", sourceProjectId: source.projectId };
    const bytes = await packed({
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
    ["loops", /"Loop"/, () => packed({ files: { "model.onnx": endlessModel() } })],
    [
      "is another than the manifest tells",
      /another model/,
      async () => packed({ files: { "state.json": await stateOf({ target: "sales" }) } }),
    ],
    [
      "wants a file that is not there",
      /lacks history.bin/,
      async () => packed({ files: { "state.json": await stateOf({ files: ["history.bin"] }) } }),
    ],
  ])(
    "by its job where the hashes fit but the model %s; its label and place are free again",
    async (_, reason, make) => {
      const { projectId, sendFile } = await target();
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

async function row({ checkpointId }: { checkpointId: string }) {
  const [found] = await database().select().from(checkpoints).where(eq(checkpoints.id, checkpointId));
  return found!;
}

async function changedContent(name: string): Promise<Uint8Array> {
  const { manifest } = await readCheckpointFile([file], { keep: false });
  const altered = Buffer.from(file);
  altered[altered.indexOf(tarHeader(name, manifest.files[name]!.bytes)) + 512]! ^= 1;
  return altered;
}
