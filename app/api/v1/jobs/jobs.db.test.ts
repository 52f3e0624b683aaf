import { beforeAll, describe, expect, it } from "vitest";
import type { Job } from "#lib/contract/jobs";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { newId } from "#lib/platform/ids/new-id";
import { callRoute, createKey, createProject, createUser, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { POST as CANCEL } from "./[jobId]/cancel/route.ts";
import { POST as RETRY } from "./[jobId]/retry/route.ts";
import { GET } from "./[jobId]/route.ts";
import { GET as LIST } from "./project/[projectId]/route.ts";

beforeAll(async () => {
  await createTestDatabase();
});

async function projectWithJobs(count: number) {
  const { id: projectId } = await createProject({ name: "Heat" });
  await createModel({ projectId });
  const jobIds: string[] = [];
  for (let index = 0; index < count; index++) {
    jobIds.push((await createCheckpoint(testContext(), { projectId })).jobId);
  }
  return { projectId, jobIds, as: await createKey({ projectId }) };
}

describe("GET /api/v1/jobs/project/{projectId}", () => {
  it("pages through all jobs with the Link header, and filters by repeated parameters", async () => {
    const { projectId, jobIds, as } = await projectWithJobs(5);
    await runJobHere(jobIds[0]!);
    const seen: string[] = [];
    let query: Record<string, string | string[]> = { limit: "2" };
    for (let pages = 0; pages < 3; pages++) {
      const page = await callRoute<Job[]>(LIST, { params: { projectId }, query, as });
      seen.push(...page.data.map(({ id }) => id));
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      expect(next !== undefined).toBe(pages < 2);
      if (next) query = Object.fromEntries(new URL(next).searchParams);
    }
    expect(seen).toEqual(jobIds.toReversed());
    const filtered = await callRoute<Job[]>(LIST, {
      params: { projectId },
      as,
      query: { status: ["Completed", "Failed"], type: "CreateCheckpoint" },
    });
    expect(filtered.data.map(({ id }) => id)).toEqual([jobIds[0]]);
  });

  it.each([
    { limit: "0" },
    { limit: "201" },
    { status: "Done" },
    { type: "Everything" },
    { cursor: "nonsense" },
  ])("rejects %j", async (query) => {
    const { projectId, as } = await projectWithJobs(0);
    const answer = await callRoute(LIST, { params: { projectId }, query, as });
    expect([answer.status, answer.error?.code]).toEqual([400, "validation_failed"]);
  });
});

describe("a job", () => {
  it("is returned with all its fields, cancelled and retried", async () => {
    const { jobIds, as } = await projectWithJobs(1);
    const params = { jobId: jobIds[0]! };
    const pending = await callRoute<Job>(GET, { params, as });
    expect(pending.data).toMatchObject({
      type: "CreateCheckpoint",
      status: "Pending",
      progress: 0,
      attempt: 0,
      rows: null,
      error: null,
      startedAt: null,
      finishedAt: null,
      retryOf: null,
    });
    expect((await callRoute(RETRY, { params, as, method: "POST" })).error?.code).toBe("job_not_retryable");
    const cancelled = await callRoute<Job>(CANCEL, { params, as, method: "POST" });
    expect([cancelled.status, cancelled.data.status]).toEqual([200, "Cancelled"]);
    const again = await callRoute(CANCEL, { params, as, method: "POST" });
    expect([again.status, again.error?.code]).toEqual([400, "job_not_cancellable"]);
    const retry = await callRoute<{ jobId: string; status: string }>(RETRY, { params, as, method: "POST" });
    expect([retry.status, retry.data.status]).toEqual([202, "Pending"]);
    await runJobHere(retry.data.jobId);
    const done = await callRoute<Job>(GET, { params: { jobId: retry.data.jobId }, as });
    expect(done.data).toMatchObject({ status: "Completed", retryOf: params.jobId, progress: 100 });
  });

  it("is not retried if its label is taken or the project has 20 checkpoints meanwhile", async () => {
    const { projectId, as } = await projectWithJobs(18);
    const create = (label: string) => createCheckpoint(testContext(), { projectId, label });
    const params = { jobId: (await create("Winter")).jobId };
    await callRoute(CANCEL, { params, as, method: "POST" });
    await create("Winter");
    const taken = await callRoute(RETRY, { params, as, method: "POST" });
    expect([taken.status, taken.error?.code]).toEqual([400, "duplicate_label"]);
    await create("Summer");
    const full = await callRoute(RETRY, { params, as, method: "POST" });
    expect([full.status, full.error?.code]).toEqual([400, "checkpoint_limit_reached"]);
  });

  it("of another project returns the same 404 as an unknown job", async () => {
    const { jobIds } = await projectWithJobs(1);
    const as = await createKey({ projectId: (await createProject()).id });
    const texts = new Set<string>();
    for (const jobId of [jobIds[0]!, newId(), "nonsense"]) {
      for (const [method, handler] of [
        ["GET", GET],
        ["POST", CANCEL],
        ["POST", RETRY],
      ] as const) {
        const answer = await callRoute(handler, { params: { jobId }, as, method });
        expect([answer.status, answer.error?.code]).toEqual([404, "job_not_found"]);
        texts.add(answer.text.replace(/"requestId":"[^"]+"/, ""));
      }
    }
    expect(texts.size).toBe(1);
    const session = await createUser({ role: "analyst" });
    expect((await callRoute(GET, { params: { jobId: jobIds[0]! }, as: session })).status).toBe(200);
  });
});
