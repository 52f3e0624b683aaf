// Example of a customer's program that uses the client generated from the service's OpenAPI document. Compiled and run
// by ../typed-client.spec.ts; prints its results.
import { setInterval } from "node:timers/promises";
import { client, type Failure, type InputFeature, type Job } from "./client.ts";

const [serverUrl = "", email = "", password = ""] = process.argv.slice(2);
client.configure({ serverUrl });

type Answer<T> = { data: { data: T } | undefined; error: Failure | undefined };
/** Returns the data of a success. */
function dataOf<T>({ data, error }: Answer<T>): T {
  if (data === undefined) throw new Error(`${error?.error.code}: ${error?.error.message}`);
  return data.data;
}
/** Returns the error code of a failure, or `undefined`. */
const codeOf = (answer: Answer<unknown>) => answer.error?.error.code;

// With a session: lists projects and creates a key.
const signedIn = await client.signIn({ body: { email, password } });
const cookie = signedIn.response.headers.getSetCookie().map((line) => line.split(";")[0]);
const session = { headers: { cookie: cookie.join("; "), origin: serverUrl } };
const projects = dataOf(await client.listProjects({ query: { limit: 50 } }, session));
const project = projects.find(
  ({ dependencies, defaultCheckpointId }) => dependencies.length === 0 && defaultCheckpointId,
);
if (!project) throw new Error("No project found");
const path = { projectId: project.id };
const key = dataOf(await client.createApiKey({ path, body: { name: "Typed client" } }, session));

// With the key, like every program.
client.auth.apiKey("apiKey", key.key);
const checkpoints = dataOf(await client.listCheckpoints({ path }));
const checkpoint = checkpoints.find(({ isDefault }) => isDefault);
if (!checkpoint) throw new Error("No default checkpoint found");
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
if (codeOf(absent) === "checkpoint_not_fund") throw new Error("The service returned a misspelt code");
// @ts-expect-error: there is no such field
const misspelt = await client.createScenario({ path, body: { titel: "x" } });
// The client knows that this operation requires a session, and sends no key.
const anonymous = await client.createProject({ body: { name: "x" } });

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
    anonymous: codeOf(anonymous),
    revoked: codeOf(revoked),
  }),
);

/** Polls a job until it has ended. */
async function finished(jobId: string): Promise<Job> {
  for await (const _ of setInterval(200)) {
    const found = dataOf(await client.getJob({ path: { jobId } }));
    if (found.status !== "Pending" && found.status !== "Running") return found;
  }
  throw new Error("Unreachable");
}

/** Returns a feature's value from the known range. */
function typicalOf({ type, median, max, categories }: InputFeature): string | number | boolean | null {
  if (type === "timestamp") return new Date(max ?? 0).toISOString();
  if (type === "category") return categories?.[0] ?? null;
  return type === "boolean" ? (median ?? 0) >= 0.5 : median;
}
