import { limits } from "#lib/contract/limits";
import { features, hourlyCsv, timeOf } from "./hostile-csv.ts";
import { type HostileModel, hostileModels } from "./hostile-models.ts";
import { base64, type Tenant } from "./tenant.ts";

/** Sizes of what the hostile project holds and sends. */
export type Sizes = {
  isLong: boolean;
  datasetRows: number;
  scenarios: number;
  scenarioRows: number;
  /** Small files are read in the thread that answers all requests. */
  fileBytes: number[];
  uploadBytes: number;
  rounds: number;
};

export const shortSizes: Sizes = {
  isLong: false,
  datasetRows: 600,
  scenarios: 2,
  scenarioRows: 400,
  fileBytes: [20_000],
  uploadBytes: 20_000,
  rounds: 5,
};
export const longSizes: Sizes = {
  isLong: true,
  datasetRows: 100_000,
  scenarios: 20,
  scenarioRows: 100_000,
  fileBytes: [500_000, 48 << 20],
  uploadBytes: 128 << 20,
  rounds: 500,
};

/** A project of a hostile tenant with a model, scenarios and imported models. */
export type World = {
  sizes: Sizes;
  tenant: Tenant;
  projectId: string;
  modelId: string;
  checkpointId: string;
  scenarioIds: string[];
  /** Scenario of as many rows as a preview allows. */
  previewedId: string;
  comparisonId: string;
  jobId: string;
  userId: string;
  imported: (HostileModel & { checkpointId: string })[];
};

export async function createWorld(tenant: Tenant, sizes: Sizes, log: (text: string) => void): Promise<World> {
  const { datasetRows, scenarioRows, rounds } = sizes;
  const { id: projectId } = await tenant.ask("POST", "/projects", { name: "Hostile" });
  const project = `/projects/${projectId}`;
  const upload = async (csv: string) =>
    (await tenant.ask("POST", `${project}/uploads`, csv)).uploadId as string;
  const imported = await importAll(tenant, project, sizes, log);
  const uploadId = await upload(hourlyCsv(datasetRows, 0, true));
  await tenant.ask("PUT", `${project}/dataset`, { uploadId, target: "y", timestamp: "time" });
  const trained = await tenant.complete("POST", `${project}/models/train`, {
    algorithm: "gradient_boosting",
    hyperparameters: { rounds, maxLeaves: 255, minLeaf: 1, earlyStopping: false, learningRate: 0.05 },
    features: { lags: [1, 2, 24, 168], rolling: [{ window: 168, shift: 1, statistic: "std" }] },
  });
  log("the hostile project has a model");
  const { checkpointId } = await tenant.complete("POST", `${project}/checkpoints`, { setAsDefault: true });
  const createScenario = async (rows: number) => {
    const uploadId = await upload(hourlyCsv(rows, datasetRows, false));
    const body = { title: `${rows} rows`, checkpointId, uploadId };
    return (await tenant.complete("POST", `${project}/scenarios`, body)).scenarioId as string;
  };
  const scenarioIds = [await createScenario(scenarioRows)];
  const previewedId = await createScenario(Math.min(scenarioRows, limits.previewRowsTogether));
  const createAdjusted = async (value: number) => {
    const { scenarioId } = await tenant.complete("POST", `${project}/scenarios`, {
      title: `Scenario ${value}`,
      checkpointId,
      baseScenarioId: scenarioIds[0],
      adjustments: [{ feature: features[value % 8], operation: "add", value }],
    });
    return scenarioId as string;
  };
  const values = Array.from({ length: sizes.scenarios - 1 }, (_, at) => at + 1);
  scenarioIds.push(...(await Promise.all(values.map(createAdjusted))));
  log(`the hostile project has ${sizes.scenarios} scenarios`);
  const comparison = await tenant.ask("POST", `${project}/comparisons`, { name: "All", scenarioIds });
  const { modelId } = await tenant.ask("GET", `/jobs/${trained.jobId}`);
  const { userId } = await tenant.ask("GET", "/me");
  return {
    sizes,
    tenant,
    projectId,
    modelId: modelId as string,
    checkpointId: checkpointId as string,
    scenarioIds,
    previewedId,
    comparisonId: comparison.id,
    jobId: trained.jobId,
    imported,
    userId: userId as string,
  };
}

/** Imports of each kind the most expensive model that the service accepts, and saves it as a checkpoint. */
async function importAll(tenant: Tenant, project: string, sizes: Sizes, log: (text: string) => void) {
  const imported: World["imported"] = [];
  for (const candidates of hostileModels(sizes.isLong)) {
    for (const model of candidates) {
      const { jobId } = await tenant.ask("POST", `${project}/models/import`, importBody(model));
      if ((await tenant.ended(jobId)) !== "Completed") {
        log(`rejected: ${model.name}`);
        continue;
      }
      const { checkpointId } = await tenant.complete("POST", `${project}/checkpoints`, {});
      imported.push({ ...model, checkpointId: checkpointId as string });
      log(`accepted: ${model.name}`);
      break;
    }
  }
  return imported;
}

export const importBody = ({ name, file, format, width }: HostileModel) => ({
  modelName: name,
  target: "y",
  targetMetric: "rmse",
  format,
  fileData: base64(file),
  inputs: features.slice(0, width).map((feature, index) => ({ feature, index })),
});

/** Columns of a request for predictions by the trained model. */
export function timedInput(rows: number, from: number): Record<string, unknown[]> {
  const range = Array.from({ length: rows }, (_, row) => row);
  return { time: range.map((row) => timeOf(from + row)), ...numbersInput(rows, 8) };
}

export function numbersInput(rows: number, width: number): Record<string, unknown[]> {
  const range = Array.from({ length: rows }, (_, row) => row);
  return Object.fromEntries(
    features.slice(0, width).map((name, at) => [name, range.map((row) => (row * (at + 1)) % 9)]),
  );
}
