// A program as a customer would write it, beside the client that is generated from the service's document. Compiled and
// run by ../typed-client.spec.ts; prints what it saw.
import { client, type Failure, type InputFeature, type Job } from "./client.ts";

const [serverUrl = "", email = "", password = ""] = process.argv.slice(2);
client.configure({ serverUrl });

type Answer<T> = { data: { data: T } | undefined; error: Failure | undefined };
/** The data of a success. */
function dataOf<T>({ data, error }: Answer<T>): T {
  if (data === undefined) throw new Error(`${error?.error.code}: ${error?.error.message}`);
  return data.data;
}
/** The code of a failure; `undefined` where there is none. */
const codeOf = (answer: Answer<unknown>) => answer.error?.error.code;

// By a session: which projects are there, and a key of one.
const signedIn = await client.signIn({ body: { email, password } });
const cookie = signedIn.response.headers.getSetCookie().map((line) => line.split(";")[0]);
const session = { headers: { cookie: cookie.join("; "), origin: serverUrl } };
const projects = dataOf(await client.listProjects({ query: { limit: 50 } }, session));
const project = projects.find(({ dependencies, currentModel }) => dependencies.length === 0 && currentModel);
if (!project) throw new Error("There is no project to work with");
const path = { projectId: project.id };
const key = dataOf(await client.createApiKey({ path, body: { name: "Typed client" } }, session));

// By the key, as every program.
client.auth.apiKey("apiKey", key.key);
const checkpoints = dataOf(await client.listCheckpoints({ path }));
const checkpoint = checkpoints.find(({ isDefault }) => isDefault);
if (!checkpoint) throw new Error("There is no default checkpoint");
const created = dataOf(
  await client.createScenario({
    path,
    body: { title: "From a typed client", checkpointId: checkpoint.id },
    headers: { "Idempotency-Key": key.id },
  }),
);
const job = await finished(created.jobId);
const scenario = { ...path, scenarioId: created.scenarioId };
const rows = dataOf(await client.listPredictions({ path: scenario, query: { limit: 5 } }));
const chart = dataOf(await client.listPredictions({ path: scenario, query: { maxPoints: 10 } }));
const { inputFeatures } = dataOf(
  await client.getCheckpoint({ path: { ...path, checkpointId: checkpoint.id } }),
);
const prediction = dataOf(
  await client.predict({
    path,
    body: { input: Object.fromEntries(inputFeatures.map((one) => [one.name, [typicalOf(one)]])) },
  }),
);

// Failures are typed by their code.
const unknown = "00000000-0000-4000-8000-000000000000";
const absent = await client.getCheckpoint({ path: { ...path, checkpointId: unknown } });
// @ts-expect-error: there is no such code
if (codeOf(absent) === "checkpoint_not_fund") throw new Error("A misspelt code was answered");
// @ts-expect-error: there is no such field
const misspelt = await client.createScenario({ path, body: { titel: "x" } });
// The client knows that this takes a session, and sends no key.
const nobody = await client.createProject({ body: { name: "x" } });

dataOf(await client.deleteScenario({ path: scenario }));
dataOf(await client.revokeApiKey({ path: { ...path, keyId: key.id } }, session));
const revoked = await client.listCheckpoints({ path });

console.log(
  JSON.stringify({
    status: job.status,
    rows: Array.isArray(rows) ? rows.length : 0,
    points: Array.isArray(chart) ? 0 : chart.values.length,
    predictions: prediction.predictions.length,
    absent: codeOf(absent),
    misspelt: misspelt.error?.error.details?.map(({ field, code }) => `${field}: ${code}`),
    nobody: codeOf(nobody),
    revoked: codeOf(revoked),
  }),
);

async function finished(jobId: string): Promise<Job> {
  for (;;) {
    const found = dataOf(await client.getJob({ path: { jobId } }));
    if (found.status !== "Pending" && found.status !== "Running") return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A value of a feature as the training rows had it. */
function typicalOf({ type, median, max, categories }: InputFeature): string | number | boolean | null {
  if (type === "timestamp") return new Date(max ?? 0).toISOString();
  if (type === "category") return categories?.[0] ?? null;
  return type === "boolean" ? (median ?? 0) >= 0.5 : median;
}
