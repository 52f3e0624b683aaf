import { beforeAll, describe, expect, it } from "vitest";
import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";
import { newId } from "#lib/platform/ids/new-id";
import { type Caller, callRoute, createKey, createProject } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { DELETE, GET, PUT } from "./[checkpointId]/route.ts";
import { GET as LIST, POST } from "./route.ts";

beforeAll(async () => {
  await createTestDatabase();
});

type Accepted = { message: string; checkpointId: string; jobId: string };
type Access = { projectId: string; as: Caller };

async function trainedProject(): Promise<Access> {
  const { id: projectId } = await createProject({ name: "Heat" });
  await createModel({ projectId });
  return { projectId, as: await createKey({ projectId }) };
}

const create = ({ projectId, as }: Access, body: object = {}, headers: Record<string, string> = {}) =>
  callRoute<Accepted>(POST, { params: { projectId }, body, as, headers });

async function ready(access: Access, body: object = {}): Promise<string> {
  const { data } = await create(access, body);
  await runJobHere(data.jobId);
  return data.checkpointId;
}

const one = ({ projectId, as }: Access, checkpointId: string) => ({
  params: { projectId, checkpointId },
  as,
});

describe("POST …/checkpoints", () => {
  it("returns 202 with a message that creation was initiated and is notified over the real-time channel", async () => {
    const access = await trainedProject();
    const answer = await create(access, { label: "  Before winter ", description: "As delivered" });
    expect(answer.status).toBe(202);
    expect(answer.data).toEqual({
      message: expect.stringMatching(/initiated.*notified over the real-time channel/s),
      checkpointId: expect.any(String),
      jobId: expect.any(String),
    });
    await runJobHere(answer.data.jobId);
    const { data } = await callRoute<Checkpoint[]>(LIST, {
      params: { projectId: access.projectId },
      as: access.as,
    });
    expect(Object.keys(data[0]!).sort()).toEqual(
      [
        ...["createdAt", "createdBy", "description", "id", "isDefault", "label", "linkedCheckpointId"],
        ...["modelId", "modelName", "primaryMetricValue", "projectId", "targetMetric"],
      ].sort(),
    );
    expect(data).toMatchObject([{ label: "Before winter", description: "As delivered", isDefault: true }]);
  });

  it("creates one checkpoint for repeated requests with the same Idempotency-Key", async () => {
    const access = await trainedProject();
    const headers = { "idempotency-key": newId() };
    const first = await create(access, { label: "Once" }, headers);
    const second = await create(access, { label: "Once" }, headers);
    expect([second.status, second.data]).toEqual([202, first.data]);
  });

  it.each([
    ["a label of one character", { label: "x" }],
    ["a label of 101 characters", { label: "x".repeat(101) }],
    ["a blank label", { label: "   " }],
    ["a misspelt field", { lable: "Heat" }],
    ["a string for a boolean", { setAsDefault: "yes" }],
  ])("rejects %s", async (_, body) => {
    const answer = await create(await trainedProject(), body);
    expect([answer.status, answer.error?.code]).toEqual([400, "validation_failed"]);
  });

  it("returns 400 for the error causes of the specification", async () => {
    const access = await trainedProject();
    await create(access, { label: "Twice" });
    const duplicate = await create(access, { label: "Twice" });
    expect([duplicate.status, duplicate.error?.code]).toEqual([400, "duplicate_label"]);
    for (let count = 1; count < 20; count++) await create(access);
    const full = await create(access);
    expect([full.status, full.error?.code]).toEqual([400, "checkpoint_limit_reached"]);
    const bare = await createProject();
    const untrained = await create({ projectId: bare.id, as: await createKey({ projectId: bare.id }) });
    expect([untrained.status, untrained.error?.code]).toEqual([400, "no_trained_model"]);
  });
});

describe("GET, PUT and DELETE …/checkpoints/{checkpointId}", () => {
  it("PUT accepts the record that a client received, with changes", async () => {
    const access = await trainedProject();
    await ready(access);
    const checkpointId = await ready(access);
    const got = await callRoute<CheckpointDetail>(GET, one(access, checkpointId));
    const body = { ...got.data, id: newId(), label: "Renamed", isDefault: true, createdBy: "somebody" };
    const put = await callRoute<CheckpointDetail>(PUT, {
      ...one(access, checkpointId),
      method: "PUT",
      body,
      headers: { "if-match": got.headers.get("etag")! },
    });
    expect(put.status).toBe(200);
    expect(put.data).toEqual({ ...got.data, label: "Renamed" });
    const stale = await callRoute(PUT, {
      ...one(access, checkpointId),
      method: "PUT",
      body: { label: "Again" },
      headers: { "if-match": got.headers.get("etag")! },
    });
    expect([stale.status, stale.error?.code]).toEqual([412, "precondition_failed"]);
  });

  it("rejects an update that sets no writable field", async () => {
    const access = await trainedProject();
    const checkpointId = await ready(access);
    const put = await callRoute(PUT, { ...one(access, checkpointId), method: "PUT", body: { id: newId() } });
    expect([put.status, put.error?.code]).toEqual([400, "validation_failed"]);
  });

  it("DELETE returns 202, and the checkpoint is then not found", async () => {
    const access = await trainedProject();
    const checkpointId = await ready(access);
    const gone = await callRoute<Accepted>(DELETE, { ...one(access, checkpointId), method: "DELETE" });
    expect(gone.status).toBe(202);
    expect(gone.data).toMatchObject({ checkpointId, jobId: expect.any(String) });
    expect((await callRoute(GET, one(access, checkpointId))).status).toBe(404);
  });

  it("a checkpoint of another project, an unknown ID, a malformed ID and a reserved checkpoint return the same 404 body", async () => {
    const [access, other] = [await trainedProject(), await trainedProject()];
    const foreign = await ready(other);
    const { data: reserved } = await create(access);
    const texts = new Set<string>();
    for (const id of [foreign, newId(), "nonsense", reserved.checkpointId]) {
      for (const [method, handler] of [
        ["GET", GET],
        ["PUT", PUT],
        ["DELETE", DELETE],
      ] as const) {
        const body = method === "PUT" ? { body: { label: "Mine now" } } : {};
        const answer = await callRoute(handler, { ...one(access, id), method, ...body });
        expect([answer.status, answer.error?.code]).toEqual([404, "checkpoint_not_found"]);
        texts.add(answer.text.replace(/"requestId":"[^"]+"/, ""));
      }
    }
    expect(texts.size).toBe(1);
  });
});
