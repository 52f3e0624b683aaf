// Example of a customer's program that uses the package `client`. Compiled and run by ../client-package.spec.ts; prints
// its results.
import { ApiError, type CreateScenario, Forkcast, type Job, JobError } from "forkcast-client";

const [url = "", key = "", projectId = "", title = ""] = process.argv.slice(2);
const forkcast = new Forkcast({ url, key });
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
for await (const one of forkcast.all("/projects/{projectId}/scenarios", { path, query: { search: title } }))
  listed.push(one.id);
let versions = 0;
for await (const _ of forkcast.all("/projects/{projectId}/audit", { path, query: { limit: 1 } })) versions++;
const predictions = "/projects/{projectId}/scenarios/{scenarioId}/predictions";
const scenarioPath = { projectId, scenarioId: scenario.id };
const csv = await forkcast.request("GET", predictions, {
  path: scenarioPath,
  headers: { accept: "text/csv" },
});

// The template has one row of inputs.
const template = await forkcast.request("GET", "/projects/{projectId}/scenarios/template", { path });
const uploadId = await forkcast.upload(projectId, await template.blob());
const second = await forkcast.run("/projects/{projectId}/scenarios", {
  path,
  body: { title: `${title}, uploaded`, uploadId, checkpointId: scenario.checkpointId },
});
const uploaded = await forkcast.get("/projects/{projectId}/scenarios/{scenarioId}", {
  path: { projectId, scenarioId: second.scenarioId },
});

// Failures are typed by their code.
const unknown = "00000000-0000-4000-8000-000000000000";
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : "none");
const absent = await forkcast
  .get("/projects/{projectId}/checkpoints/{checkpointId}", { path: { projectId, checkpointId: unknown } })
  .catch(codeOf);
// @ts-expect-error: there is no such field
const misspelt: CreateScenario = { titel: "x" };
const invalid = await forkcast
  .post("/projects/{projectId}/scenarios", { path, body: misspelt })
  .catch(codeOf);
// @ts-expect-error: there is no such address
const nowhere = await forkcast.get("/project").catch(codeOf);
const failed = await forkcast
  .run("/projects/{projectId}/models/train", {
    path,
    body: { features: { lags: [] } },
    onProgress: ({ id }) =>
      void forkcast.post("/jobs/{jobId}/cancel", { path: { jobId: id } }).catch(() => {}),
  })
  .catch((error: unknown) => (error instanceof JobError ? error.message : String(error)));

console.log(
  JSON.stringify({
    progress: latest?.status === "Completed",
    status: scenario.status,
    attempts,
    keys: distinct,
    listed: listed.filter((id) => id === scenario.id).length,
    pages: versions > 1,
    csv: csv.headers.get("content-type")?.split(";")[0],
    uploaded: [uploaded.status, uploaded.rowCount],
    codes: [absent, invalid, nowhere],
    failed,
  }),
);
