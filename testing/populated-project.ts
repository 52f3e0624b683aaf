import type { CreateWebhook } from "#lib/contract/webhooks";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { addProjectMember } from "#lib/domain/project-members/change-project-members";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { createComparison } from "#lib/domain/saved-comparisons/create-comparison";
import { createWebhook } from "#lib/domain/webhooks/create-webhook";
import { deleteWebhook } from "#lib/domain/webhooks/delete-webhook";
import { testWebhook } from "#lib/domain/webhooks/deliveries";
import { listWebhooks } from "#lib/domain/webhooks/find-webhook";
import { createKey, createProject, createUser, type TestKey, testContext } from "./api.ts";
import { createModel } from "./model-factory.ts";
import { runJobHere } from "./run-jobs.ts";
import { base64, createScenario, postScenario } from "./scenario-factory.ts";

/** Rows that the model of `createModel` can predict. */
export const inputCsv = "temp,wind\n1,2\n3,4\n5,6\n";
/** The same rows as a dataset, with the target. */
export const datasetCsv = "temp,wind,demand\n1,2,8\n3,4,18\n5,6,28\n";

export const webhook: CreateWebhook = { url: "https://example.com/hooks", events: ["model-trained"] };

/** A project with one of everything in the database: its ids and a key. */
export type PopulatedProject = {
  projectId: string;
  as: TestKey;
  keyId: string;
  modelId: string;
  checkpointId: string;
  /** Completed scenario, like `otherScenarioId`. */
  scenarioId: string;
  otherScenarioId: string;
  /** Saved comparison of both. */
  comparisonId: string;
  webhookId: string;
  /** Delivery of the webhook. */
  deliveryId: string;
  /** Pending job. */
  jobId: string;
  uploadId: string;
  /** First version of its dataset. */
  datasetId: string;
  dependencies: { projectId: string; featureName: string }[];
  /** Pinned checkpoints of its scenarios, by upstream project. */
  pinnedCheckpoints: Record<string, string>;
};

/** Creates a project with one of everything. The project depends on the `upstream` projects. */
export async function createPopulatedProject({
  name = "Demand",
  upstream = [],
}: {
  name?: string;
  upstream?: readonly PopulatedProject[];
} = {}): Promise<PopulatedProject> {
  const ctx = testContext();
  const { id: projectId } = await createProject({ name });
  const as = await createKey({ projectId });
  const { id: modelId } = await createModel({ projectId });
  const { id: datasetId } = await putDataset(ctx, {
    projectId,
    fileData: base64(datasetCsv),
    target: "demand",
  });
  const dependencies = upstream.map((one, index) => ({
    projectId: one.projectId,
    featureName: `upstream_${index}`,
  }));
  await setDependencies(ctx, { projectId, dependencies });
  const pinnedCheckpoints = Object.assign(
    {},
    ...upstream.map((one) => ({ ...one.pinnedCheckpoints, [one.projectId]: one.checkpointId })),
  );
  const checkpointId = await createReadyCheckpoint(projectId);
  const { id: userId } = await createUser({ role: "analyst" });
  await addProjectMember(ctx, { projectId, userId, role: "viewer" });
  const project = { projectId, as };
  const body = { checkpointId, fileData: base64(inputCsv), dependentProjectCheckpoints: pinnedCheckpoints };
  const { id: scenarioId } = await createScenario(project, body);
  const { id: otherScenarioId } = await createScenario(project, body);
  const comparisonId = await saveComparison({ projectId, scenarioId, otherScenarioId });
  const { id: webhookId } = await createWebhook(ctx, { projectId, ...webhook });
  return {
    projectId,
    as,
    comparisonId,
    webhookId,
    deliveryId: (await testWebhook(ctx, { projectId, webhookId })).id,
    keyId: as.id,
    modelId,
    datasetId,
    checkpointId,
    scenarioId,
    otherScenarioId,
    dependencies,
    pinnedCheckpoints,
    jobId: (await createCheckpoint(ctx, { projectId })).jobId,
    uploadId: await createCsvUpload(projectId),
  };
}

export async function createReadyCheckpoint(projectId: string): Promise<string> {
  const { checkpointId, jobId } = await createCheckpoint(testContext(), { projectId });
  await runJobHere(jobId);
  return checkpointId;
}

/** Saves a comparison of the project's two scenarios. */
export async function saveComparison({
  projectId,
  scenarioId,
  otherScenarioId,
}: Pick<PopulatedProject, "projectId" | "scenarioId" | "otherScenarioId">): Promise<string> {
  const scenarioIds = [scenarioId, otherScenarioId];
  return (await createComparison(testContext(), { projectId, name: "Both", scenarioIds })).id;
}

/** Creates a webhook beside the project's first one. Deletes others first, because a project has at most 20. */
export async function createSpareWebhook({ projectId, webhookId }: PopulatedProject): Promise<string> {
  await deleteSpareWebhooks({ projectId, webhookId });
  return (await createWebhook(testContext(), { projectId, ...webhook })).id;
}

export async function deleteSpareWebhooks({
  projectId,
  webhookId,
}: Pick<PopulatedProject, "projectId" | "webhookId">): Promise<void> {
  for (const { id } of (await listWebhooks(testContext(), { projectId })).items)
    if (id !== webhookId) await deleteWebhook(testContext(), { projectId, webhookId: id });
}

/** Creates a scenario with a pending job. */
export async function createWaitingScenario(
  project: PopulatedProject,
): Promise<{ scenarioId: string; jobId: string }> {
  return (await postScenario(project, uploadedInput(project))).data;
}

/** Creates a scenario, and runs its job. */
export const createCompletedScenario = (project: PopulatedProject) =>
  createScenario(project, uploadedInput(project));

const uploadedInput = ({ checkpointId, pinnedCheckpoints }: PopulatedProject) => ({
  checkpointId,
  fileData: base64(inputCsv),
  dependentProjectCheckpoints: pinnedCheckpoints,
});

/** Creates an upload that is valid as a dataset and as a scenario's input. */
export async function createCsvUpload(projectId: string): Promise<string> {
  const content = (async function* () {
    yield Buffer.from(datasetCsv);
  })();
  return (await createUpload(testContext(), { projectId, content, isCsv: true })).uploadId;
}
