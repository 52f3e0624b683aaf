import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { mails } from "#db/schema/mails";
import { projects } from "#db/schema/projects";
import { scenarios } from "#db/schema/scenarios";
import type { JobMail } from "#lib/contract/job-mail";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { requestTraining } from "#lib/domain/models/request-training";
import { addProjectMember } from "#lib/domain/project-members/change-project-members";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { beginAttempt } from "#lib/platform/jobs/begin-attempt";
import { endJob } from "#lib/platform/jobs/end-job";
import { type Caller, callRoute, createUser, type TestUser, testContext } from "#testing/api";
import { createPopulatedProject, createWaitingScenario } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { sendMailsHere } from "#testing/sent-mails";
import { setEnvironment } from "#testing/set-environment";
import { GET as getRoute, POST as setRoute } from "../../../app/api/v1/jobs/[jobId]/mail/route.ts";

const { db } = await createTestDatabase();
const server = await sendMailsHere(db);
const { isSettled } = server;

const own = await createPopulatedProject({ name: "Energy" });
const { projectId } = own;
const page = `https://forecasts.example.com/projects/${projectId}`;

const set = (as: Caller, jobId: string, whenEnded = true) =>
  callRoute<JobMail>(setRoute, { as, params: { jobId }, body: { whenEnded } });
const get = async (as: Caller, jobId: string) =>
  (await callRoute<JobMail>(getRoute, { as, params: { jobId } })).data;
const sent = async (count: number) => {
  await expect.poll(() => server.received.length, { timeout: 10_000, interval: 20 }).toBe(count);
  return server.received;
};
const waiting = () => db.$count(mails);

test("a person who asked gets one mail when the scenario is complete, and another person gets none", async () => {
  const [ada, bo] = [await createUser(), await createUser({ role: "analyst" })];
  const { jobId, scenarioId } = await createWaitingScenario(own);
  expect((await set(ada, jobId)).data).toEqual({ whenEnded: true });
  await set(ada, jobId);
  await set(bo, jobId);
  await set(bo, jobId, false);
  expect([await get(ada, jobId), await get(bo, jobId)]).toEqual([{ whenEnded: true }, { whenEnded: false }]);
  // Line breaks and tags that no route accepts.
  const title = "Heat\r\nBcc: eve@example.com\r\n\r\n<b>Wave</b>";
  await db.update(scenarios).set({ title }).where(eq(scenarios.id, scenarioId));
  expect([await waiting(), server.received]).toEqual([1, []]);
  await runJobHere(jobId);
  const [mail] = await sent(1);
  await isSettled();
  expect(mail).toMatchObject({
    to: [ada.email],
    subject: "The scenario “Heat Bcc: eve@example.com <b>Wave</b>” is complete",
  });
  expect(mail!.head.filter((line) => /^(to|cc|bcc):/.test(line))).toEqual([`to: ${ada.email}`]);
  expect(mail!.text).toContain(`Project: Energy.`);
  expect(mail!.text).toContain(`${page}/scenarios/${scenarioId}`);
  expect(mail!.html).toContain("Heat Bcc: eve@example.com &lt;b&gt;Wave&lt;/b&gt;");
  expect(server.received).toHaveLength(1);
});

test("a failed training and a cancelled scenario are mailed, too", async () => {
  const ada = await createUser();
  const { jobId: training } = await requestTraining(testContext(), { projectId, request: {} });
  const { jobId: cancelled } = await createWaitingScenario(own);
  for (const jobId of [training, cancelled]) await set(ada, jobId);
  await cancelJob(testContext(), { jobId: cancelled }, abandonOf);
  await sent(1);
  const job = await beginAttempt(db, training);
  const failure = { code: "model_invalid", message: "Too <few> rows" };
  await db.transaction((tx) => endJob(tx, job!, failure, undefined));
  const [first, second] = await sent(2);
  await isSettled();
  expect(first!.subject).toMatch(/^The scenario “.+” was cancelled$/);
  expect(second).toMatchObject({ subject: "The training of “Energy” has failed" });
  expect(second!.text).toContain(`Too <few> rows`);
  expect(second!.html).toContain("Too &lt;few&gt; rows");
  expect(second!.text).toContain(`${page}/model`);
});

/** Ends the job, and expects that the person gets no mail. */
async function expectNone(person: TestUser, jobId: string) {
  await cancelJob(testContext(), { jobId }, abandonOf);
  await isSettled();
  expect(server.received.filter(({ to }) => to.includes(person.email))).toEqual([]);
}

test("a person who may not see the project any more, or was disabled or removed, gets no mail", async () => {
  const viewer = await createUser({ role: "analyst" });
  const stranger = await createUser({ role: "analyst" });
  const { jobId } = await createWaitingScenario(own);
  await set(stranger, jobId);
  await db.update(projects).set({ access: "restricted" }).where(eq(projects.id, projectId));
  await addProjectMember(testContext(), { projectId, userId: viewer.id, role: "viewer" });
  // A viewer of a restricted project may ask; others do not see the job.
  expect((await set(viewer, jobId)).status).toBe(200);
  expect((await set(await createUser({ role: "analyst" }), jobId)).status).toBe(404);
  await cancelJob(testContext(), { jobId }, abandonOf);
  await isSettled();
  expect(server.received.map(({ to }) => to)).toEqual([[viewer.email]]);
  await db.update(projects).set({ access: "open" }).where(eq(projects.id, projectId));

  const { jobId: next } = await createWaitingScenario(own);
  await set(stranger, next);
  await db.execute(`update "user" set disabled_at = now() where id = '${stranger.id}'`);
  await expectNone(stranger, next);

  const { jobId: last } = await createWaitingScenario(own);
  await set(viewer, last);
  await db.execute(`delete from "user" where id = '${viewer.id}'`);
  expect(await waiting()).toBe(0);
});

test("rejects a job that has ended, a deletion, and a service without mail", async () => {
  const ada = await createUser();
  const issueOf = async (jobId: string) => {
    const { status, error } = await set(ada, jobId);
    return [status, error?.details?.[0]?.code];
  };
  const { jobId } = await createWaitingScenario(own);
  setEnvironment({ SMTP_URL: "", MAIL_FROM: "", PUBLIC_URL: "" });
  expect(await issueOf(jobId)).toEqual([400, "mail_off"]);
  expect((await set(ada, jobId, false)).status).toBe(200);
  setEnvironment(server.variables);
  await cancelJob(testContext(), { jobId }, abandonOf);
  expect(await issueOf(jobId)).toEqual([400, "job_ended"]);
  const { scenarioId } = await createWaitingScenario(own);
  const deletion = await deleteScenario(testContext(), { projectId, scenarioId });
  expect(await issueOf(deletion.jobId)).toEqual([400, "not_mailed"]);
});
