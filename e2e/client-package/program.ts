// Example of a customer's program that uses the package `forkcast-client`. Compiled and run by ../client-package.spec.ts;
// prints its results.
import { ApiError, type CreateScenarioBody, Forkcast, type Job, JobError } from "forkcast-client";

const [url = "", key = "", projectId = "", title = ""] = process.argv.slice(2);
const forkcast = new Forkcast({ url, key });
const { api } = forkcast;
const path = { projectId };

/** Keys of all requests that create a scenario. */
const keys: (string | null)[] = [];
const send = globalThis.fetch;
globalThis.fetch = (address, init) => {
  if (init?.method === "POST") keys.push(new Headers(init.headers).get("idempotency-key"));
  return send(address, init);
};

let latest: Job | undefined;
const endDate = "2016-01-14";
const scenario = await forkcast.createScenario(
  projectId,
  { title, endDate },
  { onProgress: (job) => (latest = job) },
);
const attempts = keys.length;
const distinct = new Set(keys).size;

const listed: string[] = [];
for await (const { id } of api.listScenarios.items({ path, query: { search: title } })) listed.push(id);
let entries = 0;
for await (const _ of api.listAudit.items({ path, query: { limit: 1 } })) entries++;
const csv = await api.listPredictions(
  { path: { projectId, scenarioId: scenario.id } },
  { headers: { accept: "text/csv" }, envelope: true },
);

// The template has one row of inputs.
const template = await api.getScenarioTemplate({ path });
const uploadId = await forkcast.upload(projectId, template);
const second = await forkcast.run(
  api.createScenario({
    path,
    body: { title: `${title}, uploaded`, uploadId, checkpointId: scenario.checkpointId },
  }),
);
const { data: uploaded } = await api.getScenario({ path: { projectId, scenarioId: second.scenarioId } });

// Failures are typed by their code.
const unknown = "00000000-0000-4000-8000-000000000000";
const codeOf = (error: unknown) => {
  if (!(error instanceof ApiError)) return "none";
  // @ts-expect-error: there is no such code
  if (error.code === "checkpoint_not_fund") throw new Error("The service returned a misspelt code");
  return error.code;
};
const absent = await api.getCheckpoint({ path: { projectId, checkpointId: unknown } }).catch(codeOf);
// @ts-expect-error: there is no such field
const misspelt: CreateScenarioBody = { titel: "x" };
const invalid = await api.createScenario({ path, body: misspelt }).catch(codeOf);
// The client knows that this operation requires a session, and sends no key.
const anonymous = await api.createProject({ body: { name: "x" } }).catch(codeOf);
const failed = await forkcast
  .run(api.trainModel({ path, body: { features: { lags: [] } } }), {
    onProgress: ({ id }) => void api.cancelJob({ path: { jobId: id } }).catch(() => {}),
  })
  .catch((error: unknown) => (error instanceof JobError ? error.message : String(error)));

console.log(
  JSON.stringify({
    progress: latest?.status === "Completed",
    status: scenario.status,
    attempts,
    keys: distinct,
    listed: listed.filter((id) => id === scenario.id).length,
    pages: entries > 1,
    csv: csv.response.headers.get("content-type")?.split(";")[0],
    uploaded: [uploaded.status, uploaded.rowCount],
    codes: [absent, invalid, anonymous],
    failed,
  }),
);
