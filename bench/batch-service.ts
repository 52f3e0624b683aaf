import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDatabase } from "#db/client";
import { migrate } from "#db/migrate";
import { projects } from "#db/schema/projects";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { readJob } from "#lib/domain/jobs/find-job";
import { requestTraining } from "#lib/domain/models/request-training";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import type { Context } from "#lib/platform/context/context";
import { closeDatabase, database, provideDatabase } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { closeJobSender } from "#lib/platform/jobs/job-sender";
import { startPostgres } from "#server/postgres/start-postgres";
import { takePeak } from "../e2e/process-figures.ts";
import { workerOptions } from "../server/node-options.ts";

/** Milliseconds of a job and of each stage. The stages are polled from the job's record, every 10 ms. */
export type Computed = { ms: number; stages: Map<string, number>; scenarioId: string };

/**
 * A service without web pages: a new PostgreSQL in a folder, and the real worker in a separate process. Its methods
 * call the same operations as the API routes.
 */
export class BatchService implements AsyncDisposable {
  readonly url: string;
  readonly projectId = newId();
  readonly #stop: () => Promise<void>;
  readonly #folder: string;
  #worker: ChildProcess | null = null;

  private constructor(folder: string, url: string, stop: () => Promise<void>) {
    this.url = url;
    this.#folder = folder;
    this.#stop = stop;
  }

  static async start(folder: string): Promise<BatchService> {
    process.env.DATA_DIR = folder;
    const server = await startPostgres({ dataDir: folder });
    await migrate(server.url);
    provideDatabase(createDatabase(server.url));
    const service = new BatchService(folder, server.url, () => server.stop());
    await database().insert(projects).values({ id: service.projectId, name: "Bench", createdBy: "bench" });
    return service;
  }

  get #ctx(): Context {
    return {
      db: database(),
      actor: { kind: "session", userId: "bench", role: "admin" },
      requestId: newId(),
    };
  }

  /** Starts a new worker and stops the previous one, so that earlier jobs do not affect the measured memory. */
  async startWorker(): Promise<void> {
    await this.#endWorker();
    const script = path.resolve(import.meta.dirname, "../scripts/worker.ts");
    const worker = spawn(process.execPath, [...workerOptions, script], {
      env: {
        ...process.env,
        DATABASE_URL: this.url,
        DATA_DIR: this.#folder,
        LOG_LEVEL: "error",
        NODE_COMPILE_CACHE: path.join(this.#folder, "compile-cache"), // The supervisor sets it too.
      },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#worker = worker;
  }

  /**
   * Returns the peak memory of the worker in MB, since its start or the previous call. Returns null if the system does
   * not provide it.
   */
  takePeak(): number | null {
    try {
      return takePeak(this.#worker!.pid!);
    } catch {
      return null;
    }
  }

  /** Trains gradient boosting on a CSV with the target `y`, as the project's current model. */
  async train(csv: Uint8Array, rounds: number): Promise<void> {
    const { projectId } = this;
    await putDataset(this.#ctx, { projectId, fileData: Buffer.from(csv).toString("base64"), target: "y" });
    const hyperparameters = { rounds, maxLeaves: 31, learningRate: 0.1, earlyStopping: false };
    const request = { algorithm: "gradient_boosting", hyperparameters } as const;
    const { jobId } = await requestTraining(this.#ctx, { projectId, request });
    await this.#follow(jobId);
  }

  /** Uploads a CSV file. Returns the id of the upload. */
  async upload(file: string): Promise<string> {
    const content = createReadStream(file);
    const { uploadId } = await createUpload(this.#ctx, { projectId: this.projectId, content, isCsv: true });
    return uploadId;
  }

  /**
   * Creates a scenario of an upload and waits for its job.
   *
   * @param checkpointId checkpoint to use; null saves the current model as a checkpoint
   */
  async compute(uploadId: string, checkpointId: string | null): Promise<Computed & { checkpointId: string }> {
    const { projectId } = this;
    const request = {
      projectId,
      title: "Bench",
      uploadId,
      ...(checkpointId === null ? {} : { checkpointId }),
    };
    const accepted = await createScenario(this.#ctx, request);
    const { job, stages } = await this.#follow(accepted.jobId);
    const { scenarioId } = accepted;
    const ms = Number(job.finishedAt) - Number(job.startedAt);
    return { ms, stages, scenarioId, checkpointId: accepted.checkpointId };
  }

  async #follow(jobId: string): Promise<{ job: JobRow; stages: Map<string, number> }> {
    const stages = new Map<string, number>();
    let previous = { stage: "", at: performance.now() };
    for (;;) {
      const job = (await readJob(database(), jobId))!;
      const at = performance.now();
      const stage = job.status === "Running" ? (job.stage ?? "") : "";
      if (previous.stage !== "")
        stages.set(previous.stage, (stages.get(previous.stage) ?? 0) + at - previous.at);
      previous = { stage, at };
      if (job.status === "Completed") return { job, stages };
      if (job.status === "Failed" || job.status === "Cancelled")
        throw new Error(`The job ended with status ${job.status}: ${job.errorMessage}`);
      await delay(10);
    }
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (worker === null || worker.exitCode !== null) return;
    worker.kill("SIGTERM");
    await once(worker, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endWorker();
    await closeJobSender();
    await closeDatabase();
    await this.#stop();
  }
}
