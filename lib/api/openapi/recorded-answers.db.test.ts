import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Member } from "#lib/contract/members";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { listVersions } from "#lib/domain/datasets/list-versions";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { updateComparison } from "#lib/domain/saved-comparisons/update-comparison";
import { createPasswordLink } from "#lib/domain/users/password-links";
import { createWebhook } from "#lib/domain/webhooks/create-webhook";
import { testWebhook } from "#lib/domain/webhooks/deliveries";
import { database } from "#lib/platform/database/process-database";
import { callRoute, createKey, createUser, nobody, testContext, testHost } from "#testing/api";
import type { Caller } from "#testing/call-route";
import {
  createCsvUpload,
  createPopulatedProject,
  type PopulatedProject,
  saveComparison,
  webhook,
} from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, routeCases } from "#testing/route-cases";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, createTrainedProject, postScenario, train } from "#testing/scenario-factory";
import { setEnvironment } from "#testing/set-environment";
import { validCalls } from "#testing/valid-calls";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";
import { documentedRoutes } from "../../../app/api/v1/documented-routes.ts";
import { GET as currentModel } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as setupRoute } from "../../../app/api/v1/setup/route.ts";
import { ids } from "./examples/ids.ts";

// The service returned the document's example responses to calls about one project. `RECORD=1` records them again.
// Otherwise the test compares their fields, so that no example lacks a new field.

const file = path.join(import.meta.dirname, "examples", "answers.json");
const recorded = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const day = 86_400_000;
/** Longer lists would hide the rest of a response. */
const LONGEST = 2;

await createTestDatabase();
setEnvironment({
  PUSHER_APP_ID: "app",
  PUSHER_KEY: "forkcast",
  PUSHER_SECRET: "secret-secret",
  SMTP_URL: "smtp://localhost",
  MAIL_FROM: "forkcast@example.com",
  PUBLIC_URL: "https://forkcast.example.com",
});

/** Returns a file of whole days with the columns date, temp, price and demand. */
function daysFrom(start: string, count: number): string {
  const rows = Array.from({ length: count }, (_, row) => {
    const at = Date.parse(start) / day + row;
    const date = new Date(at * day).toISOString().slice(0, 10);
    const temp = Math.round(80 * Math.cos(at / 17) + 7 * (at % 5)) / 10;
    const price = 4 + (at % 9 === 3 ? 0.6 : 0) + (at % 4) / 10;
    const demand = 240 - 3 * temp - 9 * price + (at % 7 > 4 ? -30 : 0) + ((at * 37) % 11);
    return [date, temp, price.toFixed(2), demand.toFixed(1)].join();
  });
  return base64(`date,temp,price,demand\n${rows.join("\n")}\n`);
}

const training = { fileName: "demand.csv", target: "demand", timestamp: "date" };
const february = { title: "Cold February", color: "#c2185b", endDate: "2026-02-28" };
const week = { from: "2026-02-01", to: "2026-02-07" };
const warmer = [{ feature: "temp", operation: "add", value: 2, ...week }];

const origin = `http://${testHost}`;
const credentials = { email: "ada@example.com", password: "correct horse battery" };

async function createStory() {
  const firstAdmin = { name: "Ada", ...credentials };
  const setup = await callRoute<Member>(setupRoute, { body: firstAdmin });
  const { headers } = await callRoute(signInRoute, { body: credentials, headers: { origin } });
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  const admin = { ...setup.data, headers: { cookie, origin } };
  const csv = Buffer.from(daysFrom("2025-10-04", 120), "base64").toString();
  const energy = await createTrainedProject({ name: "Energy", csv, ...training, request: { horizon: 28 } });
  const { projectId } = energy;
  const as = await createKey({ projectId, name: "Nightly forecast", createdBy: admin.id });
  const winter = { projectId, label: "Winter 2026", description: "Before the new tariff" };
  const { checkpointId, jobId } = await createCheckpoint(testContext(), winter);
  await runJobHere(jobId);
  const { id: otherScenarioId } = await createScenario(energy, { ...february, checkpointId });
  const { id: scenarioId } = await createScenario(energy, {
    title: "Warm February",
    color: "#3498db",
    checkpointId,
    baseScenarioId: otherScenarioId,
    adjustments: warmer,
  });
  const modelId = async () =>
    (await callRoute<{ id: string }>(currentModel, { params: { projectId }, as })).data.id;
  const firstModelId = await modelId();
  await appendRows(testContext(), { projectId, fileData: daysFrom("2026-02-01", 14) });
  await train(projectId, { algorithm: "ridge", horizon: 28 });
  const comparisonId = await saveComparison({ projectId, scenarioId, otherScenarioId });
  const decision = { scenarioId, reason: "The weather service expects a warm month." };
  await updateComparison(testContext(), { projectId, comparisonId, decision });
  const weather = await createPopulatedProject({ name: "Weather" });
  const { id: webhookId } = await createWebhook(testContext(), { projectId, ...webhook });
  const own: PopulatedProject = {
    projectId,
    as,
    keyId: as.id,
    modelId: firstModelId,
    checkpointId,
    scenarioId,
    otherScenarioId,
    datasetId: (await listVersions(testContext(), { projectId })).items.at(-1)!.id,
    jobId,
    uploadId: await createCsvUpload(projectId),
    comparisonId,
    webhookId,
    deliveryId: (await testWebhook(testContext(), { projectId, webhookId })).id,
    dependencies: [{ projectId: weather.projectId, featureName: "temperature_forecast" }],
    pinnedCheckpoints: {},
  };
  return { own, newerModelId: await modelId(), weather, admin, setup: setup.data };
}

type Story = Awaited<ReturnType<typeof createStory>>;
type Parts = CallParts & { as?: Caller };
type Call = (story: Story) => Parts | Promise<Parts>;

const ofProject = ({ own: { projectId } }: Story) => ({ params: { projectId } });
const ofScenario = ({ own: { projectId, scenarioId } }: Story) => ({ params: { projectId, scenarioId } });
const send =
  (body: object): Call =>
  (story) => ({ ...ofProject(story), body });
const sendTo =
  (body: object): Call =>
  (story) => ({ ...ofScenario(story), body });
const ask =
  (query: Record<string, string>): Call =>
  (story) => ({ ...ofScenario(story), query });
const waiting = async ({ own }: Story) => {
  const { projectId, checkpointId } = own;
  const { data } = await postScenario(own, { ...february, checkpointId });
  return { projectId, ...data };
};

const liveModel = "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/live-model";

/** Calls whose body fits the story's columns or that have several responses, by operation and name of the response. */
const calls: Record<string, Record<string, Call>> = {
  cancelJob: { job: async (story) => ({ params: { jobId: (await waiting(story)).jobId } }) },
  retryJob: {
    accepted: async (story) => {
      const { jobId } = await waiting(story);
      await cancelJob(testContext(), { jobId }, abandonOf);
      return { params: { jobId } };
    },
  },
  putDataset: { dataset: send({ fileData: daysFrom("2025-10-04", 120), ...training }) },
  appendDatasetRows: { dataset: send({ fileData: daysFrom("2026-02-15", 2) }) },
  // As the confirmation of a restore shows it.
  getDatasetChanges: {
    changes: async ({ own: { projectId, datasetId: versionId } }) => {
      const [current] = (await listVersions(testContext(), { projectId })).items;
      return { params: { projectId, versionId }, query: { sinceId: current!.id } };
    },
  },
  predict: {
    prediction: send({
      input: { date: ["2026-02-01", "2026-02-02"], temp: [4.5, 6.1], price: [4.2, 4.2] },
      include: ["intervals"],
    }),
  },
  createScenario: { accepted: send(february) },
  createScenarioRun: {
    accepted: async ({ own }) => {
      const { projectId, checkpointId } = own;
      const { id: scenarioId } = await createScenario(own, { ...february, checkpointId });
      return { params: { projectId, scenarioId }, body: { checkpointId: "current" } };
    },
  },
  validateScenario: {
    issues: send({ fileData: base64("date,temp,price\n2026-02-01,4.5,4.2\n2026-02-02,abc,4.2\n") }),
    recipe: ({ own: { projectId, otherScenarioId } }) => ({
      params: { projectId },
      body: { baseScenarioId: otherScenarioId, adjustments: warmer },
    }),
  },
  deleteScenario: {
    accepted: async (story) => {
      const { projectId, scenarioId } = await waiting(story);
      return { params: { projectId, scenarioId } };
    },
  },
  listPredictions: {
    rows: ask({ limit: "2" }),
    chart: ask({ maxPoints: "3" }),
    buckets: ask({ bucket: "week", aggregate: "sum" }),
  },
  previewScenario: {
    preview: sendTo({
      adjustments: [{ feature: "price", operation: "multiply", value: 1.1, ...week }],
      maxPoints: 2,
      explain: true,
    }),
  },
  seekGoal: {
    setting: sendTo({
      levers: [{ feature: "price", operation: "multiply", min: 0.9, max: 1.1, step: 0.01 }],
      goal: { statistic: "sum", relation: "equal", value: 4_600 },
    }),
  },
  // Models of trained projects are long.
  getLiveModel: { onlyTheService: ({ weather }) => validCalls[liveModel]!(weather) },
  getModelChanges: {
    changes: ({ own, newerModelId }) => ({ params: { projectId: own.projectId, modelId: newerModelId } }),
  },
  getMe: { key: ({ own }) => ({ as: own.as }), session: () => ({}) },
  requestPasswordReset: { requested: () => ({ as: nobody, body: { email: credentials.email } }) },
  resetPassword: {
    chosen: async () => {
      const { id: userId } = await createUser();
      const link = await createPasswordLink(database(), { userId, hours: 1, publicUrl: "" });
      return { as: nobody, body: { token: link.split("#")[1], newPassword: credentials.password } };
    },
  },
  signIn: {
    session: () => ({ as: nobody, body: credentials }),
  },
  signOut: { done: async () => ({ as: await createUser(), body: {} }) },
  getSession: { session: () => ({}), nobody: () => ({ as: nobody }) },
};

/** A response of one project is the same every time, but for ids, times and secrets. */
function tell(answers: unknown, { own, admin }: Story): unknown {
  const known = new Map<string, string>([
    [own.projectId, ids.project],
    [own.checkpointId, ids.checkpoint],
    [own.scenarioId, ids.scenario],
    [own.otherScenarioId, ids.otherScenario],
    [own.modelId, ids.model],
    [own.comparisonId, ids.comparison],
    [own.keyId, ids.apiKey],
    [own.webhookId, ids.webhook],
    [own.deliveryId, ids.delivery],
    [own.uploadId, ids.upload],
    [own.dependencies[0]!.projectId, ids.upstreamProject],
    [admin.id, ids.user],
    ["user-of-tests", ids.user],
  ]);
  const idOf = (id: string) => {
    const number = String(known.size).padStart(4, "0");
    if (!known.has(id)) known.set(id, `0190f3f0-${number}-7a1b-8c2d-3e4f5a6b7c8d`);
    return known.get(id)!;
  };
  const now = Date.now();
  /** The examples happened on 1 February 2026, all at once. */
  const told = (time: string) => {
    const days = Math.round((Date.parse(time) - now) / day);
    return new Date(Date.UTC(2026, 1, 1 + days, 7)).toISOString();
  };
  const text = (value: string) =>
    value
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|user-of-tests/g, idOf)
      .replace(/.+(?=@example.com)/, (name) => (name.includes("-") ? "bo" : name))
      .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, (time) =>
        Math.abs(Date.parse(time) - now) < 60 * day ? told(time) : time,
      )
      .replace(/_20\d{6}_/, "_20260201_")
      .replace(/^whsec_.+/, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
      .replace(/^mps_.{10,}/, "mps_7Kq2vR9xT4wLm1ZbC8nYd5HsJf0Gp31aX9kQ")
      .replace(/^forkcast:[0-9a-f]{64}$/, `forkcast:${"5f2d1c0b9a8e7d6c".repeat(4)}`);
  const shorten = (value: unknown, name = ""): unknown => {
    if (name === "token") return "Xq3vB7nL9kT2mR5wY8zC1dF4gH6jK0pS";
    if (name === "prefix") return "mps_7Kq2";
    if (name === "id" && /^[A-Za-z0-9]{32}$/.test(String(value)) && value !== admin.id) return ids.session;
    if (name === "seconds") return 1.2;
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(6));
    if (Array.isArray(value)) return value.slice(0, LONGEST).map((one) => shorten(one));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key), shorten(one, key)]));
  };
  return shorten(answers);
}

/** Returns the paths of all fields, with one path for all entries of a list. */
function fieldsOf(value: unknown, at = ""): string[] {
  if (value === null || typeof value !== "object") return [at];
  const inner = Array.isArray(value)
    ? value.flatMap((one) => fieldsOf(one, `${at}[]`))
    : Object.entries(value).flatMap(([name, one]) => fieldsOf(one, `${at}.${name}`));
  return [...new Set([at, ...inner])].sort();
}

/** The document cannot contain itself. */
const openApiHead = (document: unknown) => {
  const { openapi, info } = document as { openapi: string; info: { title: string; version: string } };
  return { openapi, info: { title: info.title, version: info.version } };
};

async function recordAnswers(): Promise<unknown> {
  const story = await createStory();
  const cases = (await routeCases(documentedRoutes)).filter(({ handler: { declaration } }) =>
    Boolean(declaration.response ?? declaration.rawResponses?.["application/json"]),
  );
  // Changes come last, because other responses would show them.
  const order = ["GET", "POST", "PATCH", "DELETE", "PUT"];
  cases.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
  const answers: Record<string, Record<string, unknown>> = {};
  for (const one of cases) {
    const { operationId, response } = one.handler.declaration;
    const ofStory = calls[operationId] ?? { response: ({ own }: Story) => validCalls[one.name]!(own) };
    // Succeeds once.
    if (operationId === "createFirstAdmin") answers[operationId] = { admin: story.setup };
    if (answers[operationId]) continue;
    answers[operationId] = {};
    for (const [answer, call] of Object.entries(ofStory)) {
      const { as = story.admin, ...parts }: Parts = await call(story);
      const { status, text, data, body } = await callRoute(one.handler, { ...one.call(parts), as });
      expect(status, `${one.name}: ${text.slice(0, 500)}`).toBeLessThan(300);
      const shown = response ? data : body;
      answers[operationId][answer] = operationId === "getOpenApi" ? openApiHead(shown) : shown;
    }
  }
  return tell(answers, story);
}

test("the document's example responses have the fields that the service returns", async () => {
  const answers = await recordAnswers();
  if (process.env.RECORD === "1") writeFileSync(file, `${JSON.stringify(answers, null, 1)}\n`);
  else expect(fieldsOf(recorded)).toEqual(fieldsOf(answers));
}, 400_000);
