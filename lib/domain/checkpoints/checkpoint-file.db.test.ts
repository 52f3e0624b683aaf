import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import type { Prediction } from "#lib/contract/predictions";
import { database } from "#lib/platform/database/process-database";
import { store } from "#lib/platform/storage/store";
import { callRoute, type TestKey, testContext } from "#testing/api";
import { createExportedCheckpoint, createImportTarget } from "#testing/exported-checkpoint";
import { createReadyCheckpoint } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { createTrainedProject } from "#testing/scenario-factory";
import { POST as cancelRoute } from "../../../app/api/v1/jobs/[jobId]/cancel/route.ts";
import { POST as retryRoute } from "../../../app/api/v1/jobs/[jobId]/retry/route.ts";
import { GET as exportRoute } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/export/route.ts";
import { GET as getRoute } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { POST as uploadRoute } from "../../../app/api/v1/projects/[projectId]/uploads/route.ts";
import { exportCheckpoint } from "./export-checkpoint.ts";

await createTestDatabase();
const { source, file } = await createExportedCheckpoint();

type Place = { projectId: string; checkpointId: string };

async function predict({ projectId, checkpointId }: Place, as: TestKey) {
  const input = { temp: [1.1, -3, 8.25], wind: [2, 0.1, -4] };
  const body = { input, checkpointId, include: ["intervals", "contributions"] };
  const { data } = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body });
  return { ...data, checkpointId: null };
}

describe("a checkpoint's file", () => {
  test("is a standard tar archive of the size that the response declares", async () => {
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

  test("imports elsewhere as a checkpoint with bit-identical predictions, and keeps the current model", async () => {
    const { projectId, as, sendFile } = await createImportTarget();
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
      modelId: _____,
      ...metadata
    } = await detail(source, source.as);
    expect(await detail(place, as)).toMatchObject({ ...metadata, isDefault: true });
    expect((await row(place)).modelId).toBeNull();
    const again = await buffer((await exportCheckpoint(testContext(), place)).content);
    expect(again.equals(file)).toBe(true);
  });

  test("imports a model with a date among its inputs", async () => {
    const day = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
    const rows = Array.from({ length: 60 }, (_, i) => `${day(i)},${day(i - (i % 7))},${i % 7}`);
    const csv = `day,delivered,sales\n${rows.join("\n")}\n`;
    const { projectId } = await createTrainedProject({ csv, target: "sales", timestamp: "day" });
    const checkpointId = await createReadyCheckpoint(projectId);
    const exported = await buffer(
      (await exportCheckpoint(testContext(), { projectId, checkpointId })).content,
    );
    const { data } = await (await createImportTarget()).sendFile(exported);
    expect(await runJobHere(data.jobId)).toMatchObject({ status: "Completed", errorMessage: null });
  });

  test("can be an upload; a taken label gets a suffix, and a requested label is used unchanged", async () => {
    const { projectId, as, send } = await createImportTarget();
    const { label } = await row(source);
    const headers = { "content-type": "application/octet-stream" };
    const upload = await callRoute<{ uploadId: string }>(uploadRoute, {
      params: { projectId },
      as,
      body: new Uint8Array(file),
      headers,
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

  test("is imported again when the job is repeated", async () => {
    const { as, sendFile } = await createImportTarget();
    const { data } = await sendFile(file);
    const params = { jobId: data.jobId };
    await callRoute(cancelRoute, { params, as, method: "POST" });
    const retried = await callRoute<{ jobId: string }>(retryRoute, { params, as, method: "POST" });
    const job = await runJobHere(retried.data.jobId);
    expect(job.status).toBe("Completed");
    expect(await row({ checkpointId: job.checkpointId! })).toMatchObject({ state: "ready" });
  });
});

async function row({ checkpointId }: { checkpointId: string }) {
  const [found] = await database().select().from(checkpoints).where(eq(checkpoints.id, checkpointId));
  return found!;
}
