import type { JobType } from "#lib/contract/jobs";
import type { CreateOverride } from "#lib/contract/overrides";
import type { ProjectSummary } from "#lib/contract/projects";
import type { CreateScenario } from "#lib/contract/scenarios";
import type { TrainModel } from "#lib/contract/train-model";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { listCheckpoints } from "#lib/domain/checkpoints/list-checkpoints";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { listJobs } from "#lib/domain/jobs/list-jobs";
import { requestTraining } from "#lib/domain/models/request-training";
import { createProject } from "#lib/domain/projects/create-project";
import { getProject } from "#lib/domain/projects/get-project";
import { listProjects } from "#lib/domain/projects/list-projects";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { listScenarios } from "#lib/domain/scenarios/list-scenarios";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { listOverrides } from "#lib/domain/scenarios/overrides/list-overrides";
import type { Context } from "#lib/platform/context/context";
import { openStates } from "#lib/platform/jobs/states";

/** Waits until a job has completed. Throws if the job fails or is cancelled. */
export type AwaitJob = (jobId: string) => Promise<unknown>;

/**
 * Steps of the demo. Each step skips objects that exist, waits for those in progress, and replaces failed scenarios. So a
 * second start continues where an interrupted start ended.
 */
export class DemoSteps {
  readonly #ctx: Context;
  readonly #awaitJob: AwaitJob;

  constructor(ctx: Context, awaitJob: AwaitJob) {
    this.#ctx = ctx;
    this.#awaitJob = awaitJob;
  }

  async project(name: string, description: string): Promise<ProjectSummary> {
    const { items } = await listProjects(this.#ctx, { limit: 1_000 });
    const known = items.find((one) => one.name === name && one.createdBy === this.#ctx.actor.userId);
    return known ?? createProject(this.#ctx, { name, description });
  }

  async dataset(
    projectId: string,
    dataset: Omit<Parameters<typeof putDataset>[1], "projectId">,
  ): Promise<void> {
    if ((await currentDataset(this.#ctx.db, projectId)) !== null) return;
    await putDataset(this.#ctx, { projectId, ...dataset });
  }

  async model(projectId: string, request: TrainModel): Promise<void> {
    if ((await getProject(this.#ctx, { projectId })).currentModel !== null) return;
    const jobId =
      (await this.#openJob(projectId, "TrainModel")) ??
      (await requestTraining(this.#ctx, { projectId, request })).jobId;
    await this.#awaitJob(jobId);
  }

  /** Returns the checkpoint's ID. */
  async checkpoint(projectId: string, label: string, description: string): Promise<string> {
    const find = async () => {
      const { items } = await listCheckpoints(this.#ctx, { projectId });
      return items.find((checkpoint) => checkpoint.label === label)?.id;
    };
    const known = await find();
    if (known !== undefined) return known;
    const jobId =
      (await this.#openJob(projectId, "CreateCheckpoint")) ??
      (await createCheckpoint(this.#ctx, { projectId, label, description })).jobId;
    await this.#awaitJob(jobId);
    return (await find())!;
  }

  /** Returns the scenario's ID. */
  async scenario(projectId: string, request: CreateScenario): Promise<string> {
    const { items } = await listScenarios(this.#ctx, { projectId, limit: 200 });
    const known = items.find(({ title }) => title === request.title);
    if (known?.status === "Completed") return known.id;
    if (known && openStates.some((state) => state === known.status)) {
      await this.#awaitJob(known.jobId);
      return known.id;
    }
    if (known) await deleteScenario(this.#ctx, { projectId, scenarioId: known.id });
    const { jobId, scenarioId } = await createScenario(this.#ctx, { projectId, ...request });
    await this.#awaitJob(jobId);
    return scenarioId;
  }

  async override(projectId: string, scenarioId: string, request: CreateOverride): Promise<void> {
    const { items } = await listOverrides(this.#ctx, { projectId, scenarioId });
    if (items.every(({ reason }) => reason !== request.reason))
      await createOverride(this.#ctx, { projectId, scenarioId, ...request });
  }

  async #openJob(projectId: string, type: JobType): Promise<string | undefined> {
    const { items } = await listJobs(this.#ctx.db, { projectId, type: [type], status: openStates, limit: 1 });
    return items[0]?.id;
  }
}
