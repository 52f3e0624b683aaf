import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { nobody, testContext } from "../api.ts";
import { datasetCsv } from "../populated-project.ts";
import { runJobHere, runJobsHere } from "../run-jobs.ts";
import { dailyDemand, dailyTemperature } from "../sample-series.ts";
import { base64 } from "../scenario-factory.ts";
import { callService, signIn } from "./call-service.ts";

const password = "correct horse battery";
const admin = { email: "ada@example.com", password };
const member = { email: "bo@example.com", password };

export type ServiceData = {
  admin: typeof admin;
  member: typeof member;
  weather: string;
  demand: string;
  imported: string;
  checkpointId: string;
  scenarioIds: [string, string];
  comparisonId: string;
  uploadId: string;
  waitingJobId: string;
  /** API key of the project `demand`. */
  key: string;
};

/** y = 3 x - 2 z + 1. */
const linear = linearToOnnx(
  { kind: "linear", coefficients: Float64Array.of(3, -2), intercept: 1, means: Float64Array.of(0, 0) },
  {},
);

const days = 120;
const ridge = { algorithm: "ridge", features: { lags: [7], calendar: true } };

/** Days after the training data, as rows of `date,price`. */
const plannedDays = Array.from({ length: 30 }, (_, day) => {
  const date = new Date(Date.UTC(2023, 0, 1 + days + day)).toISOString().slice(0, 10);
  return `${date},${5 + (day % 5) / 4}\n`;
});

/**
 * Fills an empty service through its API: projects, datasets, trained and imported models, checkpoints, scenarios, a
 * comparison, keys, members, an upload, and jobs that are completed, failed, cancelled and pending.
 */
export async function createServiceData(): Promise<ServiceData> {
  await callService(nobody, "POST /setup", { body: { name: "Ada", ...admin } });
  const as = await signIn(admin);
  const send = async (call: string, body?: unknown, contentType = "application/json") => {
    const headers = { "content-type": contentType };
    return (await callService<Record<string, string>>(as, call, { body, headers })).data;
  };
  const newProject = async (name: string) => (await send("POST /projects", { name })).id!;
  await send("POST /members", { name: "Bo", ...member });

  const weather = await newProject("Weather");
  const temperatures = { fileData: base64(dailyTemperature(days)), target: "temp", timestamp: "day" };
  await send(`PUT /projects/${weather}/dataset`, temperatures);
  await send(`POST /projects/${weather}/models/train`, ridge);
  await runJobsHere(weather);
  await send(`POST /projects/${weather}/checkpoints`, { label: "Winter", description: "First" });
  await runJobsHere(weather);

  const demand = await newProject("Demand");
  const inDemand = (method: string, path: string) => `${method} /projects/${demand}${path}`;
  await send(inDemand("PATCH", ""), {
    description: "Daily",
    display: { demand: { displayName: "Pieces sold", unit: "pieces", decimals: 1 } },
  });
  const file = { fileData: base64(dailyDemand(days)), fileName: "demand.csv" };
  await send(inDemand("PUT", "/dataset"), { ...file, target: "demand", timestamp: "date" });
  const dependencies = [{ projectId: weather, featureName: "predicted_temp" }];
  await send(inDemand("PUT", "/dependencies"), { dependencies });
  const trees = { algorithm: "gradient_boosting", hyperparameters: { rounds: 20 } };
  await send(inDemand("POST", "/models/train"), trees);
  await runJobsHere(demand);
  const { checkpointId } = await send(inDemand("POST", "/checkpoints"), { label: "Spring" });
  await runJobsHere(demand);
  await send(inDemand("POST", "/models/train"), ridge);
  await runJobsHere(demand);
  await send(inDemand("POST", "/checkpoints"), { label: "Latest" });
  await runJobsHere(demand);

  const scenario = { checkpointId, dependentProjectCheckpoints: { [weather]: null } };
  const newScenario = (body: object) => send(inDemand("POST", "/scenarios"), { ...scenario, ...body });
  const first = await newScenario({
    title: "As planned",
    notes: "Two\nlines",
    tags: ["plan", "2023"],
    color: "#123456",
    fileData: base64(`date,price\n${plannedDays.join("")}`),
  });
  await runJobHere(first.jobId!);
  const baseScenarioId = first.scenarioId!;
  const dearer = [{ feature: "price", operation: "multiply", value: 1.1 }];
  const second = await newScenario({ title: "Dearer", baseScenarioId, adjustments: dearer });
  await runJobHere(second.jobId!);
  await send(inDemand("PATCH", `/scenarios/${second.scenarioId}`), { title: "Dearer by 10%" });
  const cancelled = await newScenario({ title: "Cancelled", endDate: "2023-05-20" });
  await cancelJob(testContext(), { jobId: cancelled.jobId! }, abandonOf);
  const scenarioIds: [string, string] = [first.scenarioId!, second.scenarioId!];
  const { id: comparisonId } = await send(inDemand("POST", "/comparisons"), { name: "Prices", scenarioIds });

  const imported = await newProject("Imported");
  const model = { target: "y", targetMetric: "mae", inputs: [{ feature: "x" }, { feature: "z" }] };
  const linearFile = Buffer.from(linear).toString("base64");
  const importRoute = `POST /projects/${imported}/models/import`;
  await send(importRoute, { ...model, modelName: "From elsewhere", fileData: linearFile });
  await runJobsHere(imported);
  await send(`POST /projects/${imported}/checkpoints`, {});
  await send(importRoute, { ...model, modelName: "Broken", fileData: base64("not a model") });
  await runJobsHere(imported);

  const { key } = await send(inDemand("POST", "/api-keys"), { name: "Planning program" });
  const revoked = await send(inDemand("POST", "/api-keys"), { name: "Old program" });
  await send(inDemand("DELETE", `/api-keys/${revoked.id}`));
  const rotated = await send(inDemand("POST", "/api-keys"), { name: "Rotated program" });
  await send(inDemand("POST", `/api-keys/${rotated.id}/rotate`), { overlapSeconds: 0 });
  const { uploadId } = await send(inDemand("POST", "/uploads"), datasetCsv, "text/csv");
  const waiting = await newScenario({ title: "Waiting", baseScenarioId, adjustments: dearer });
  return {
    admin,
    member,
    weather,
    demand,
    imported,
    checkpointId,
    scenarioIds,
    comparisonId: comparisonId!,
    uploadId: uploadId!,
    waitingJobId: waiting.jobId!,
    key: key!,
  } as ServiceData;
}
