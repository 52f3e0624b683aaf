import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { nodeOptions } from "../../server/node-options.ts";
import type { ProbeCall, Seen } from "./probe.ts";
import { base64, Tenant } from "./tenant.ts";

/** The bystander: another tenant, who predicts single rows of two models and runs small jobs. */
export type Neighbour = {
  projects: string[];
  /** Returns the calls since the last time. */
  take(): Promise<Seen[]>;
  /** Runs a checkpoint, a scenario and a training, one after the other each, until the signal. Returns their number. */
  runJobs(signal: AbortSignal): Promise<number>;
  stop(): Promise<void>;
};

/** Pause between two jobs of a kind, so that they leave time for those of the hostile project. */
const jobPauseMs = 200;

const knownRows = Array.from({ length: 60 }, (_, row) => `${row},${2 * row + (row % 5)}`);
const known = base64(`x,y\n${knownRows.join("\n")}`);
const input = base64(`x\n${Array.from({ length: 20 }, (_, row) => row).join("\n")}`);
const honestModel = base64(
  linearToOnnx(
    { kind: "linear", coefficients: Float64Array.of(2), intercept: 1, means: Float64Array.of(0) },
    {},
  ),
);

/** @param pauseMs time between two calls of a kind */
export async function startNeighbour(url: string, admin: Tenant, pauseMs: number): Promise<Neighbour> {
  const trained = await createTenant(url, admin, "Bystander");
  await trained.tenant.ask("PUT", `${trained.project}/dataset`, { fileData: known, target: "y" });
  await trained.tenant.complete("POST", `${trained.project}/models/train`, { algorithm: "ridge" });
  const { checkpointId } = await trained.tenant.complete("POST", `${trained.project}/checkpoints`, {
    setAsDefault: true,
  });
  const imported = await createTenant(url, admin, "Bystander with an imported model");
  await imported.tenant.complete("POST", `${imported.project}/models/import`, {
    modelName: "Honest",
    target: "y",
    targetMetric: "rmse",
    fileData: honestModel,
    inputs: [{ feature: "x" }],
  });
  const predict = (name: string, { key, project }: typeof trained): ProbeCall => ({
    name,
    url: `${url}/api/v1${project}/predict`,
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ input: { x: [7] } }),
  });
  const probe = startProbe(pauseMs, [
    predict("own model", trained),
    predict("imported model", imported),
    { name: "health", url: `${url}/api/health/live`, headers: {}, body: null },
  ]);
  const { tenant, project } = trained;
  const jobs: (() => Promise<void>)[] = [
    async () => {
      const made = await tenant.complete("POST", `${project}/checkpoints`, {});
      await tenant.complete("DELETE", `${project}/checkpoints/${made.checkpointId}`);
    },
    async () => {
      const body = { title: "Small", checkpointId, fileData: input };
      const { scenarioId } = await tenant.complete("POST", `${project}/scenarios`, body);
      await tenant.complete("DELETE", `${project}/scenarios/${scenarioId}`);
    },
    async () => {
      await tenant.complete("POST", `${project}/models/train`, { algorithm: "ridge" });
    },
  ];
  return {
    projects: [trained.id, imported.id],
    take: probe.take,
    async runJobs(signal) {
      let count = 0;
      const repeat = async (job: () => Promise<void>) => {
        for (; !signal.aborted; count++) {
          await job();
          await delay(jobPauseMs);
        }
      };
      await Promise.all(jobs.map(repeat));
      return count;
    },
    stop: probe.stop,
  };
}

/** Creates a project, and a tenant with a key of it. */
async function createTenant(url: string, admin: Tenant, name: string) {
  const { id } = await admin.ask("POST", "/projects", { name });
  const { key } = await admin.ask("POST", `/projects/${id}/api-keys`, { name: "Program" });
  const tenant = new Tenant(url, { "x-api-key": key as string });
  return { id, key: key as string, project: `/projects/${id}`, tenant };
}

function startProbe(pauseMs: number, calls: ProbeCall[]): Pick<Neighbour, "take" | "stop"> {
  const entry = path.join(import.meta.dirname, "probe.ts");
  const child = fork(entry, [String(pauseMs)], { execArgv: nodeOptions });
  child.send(calls);
  return {
    async take() {
      child.send("take");
      const [seen] = (await once(child, "message")) as [Seen[]];
      return seen;
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
