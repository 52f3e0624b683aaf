import * as api from "./api.js";

export type * from "./api.js";

type Failure = api.Failure["error"];
type Init = { signal?: AbortSignal };
type WaitOptions = Init & { onProgress?: (job: api.Job) => void };

/** Error response of the service. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** `unreadable` if the response is not of the service, such as that of a proxy. */
  readonly code: Failure["code"] | "unreadable";
  readonly details: NonNullable<Failure["details"]>;
  readonly requestId: string | null;

  constructor({ status, message, body }: api.ApiErrorLike) {
    const failure = (body as Partial<api.Failure> | undefined)?.error;
    super(failure?.message ?? message);
    this.status = status;
    this.code = failure?.code ?? "unreadable";
    this.details = failure?.details ?? [];
    this.requestId = failure?.requestId ?? null;
  }
}

/** A job that failed or was cancelled. */
export class JobError extends Error {
  override readonly name = "JobError";
  readonly job: api.Job;

  constructor(job: api.Job) {
    super(job.error?.message ?? `The job ended with the status ${job.status}.`);
    this.job = job;
  }
}

const firstPollMs = 250;
const longestPollMs = 5_000;

/** Returns whether a repeated request changes nothing twice: all attempts of a call carry the same `Idempotency-Key`. */
function isRepeatable(id: api.OperationId): boolean {
  const { method, params = [] }: api.OperationDescriptor = api.OPERATIONS[id];
  return method === "GET" || params.some(({ name }) => name === "Idempotency-Key");
}

const connect = (url: string, key: string | undefined, retries: number) =>
  api.createClient<api.Ops, api.OperationId, api.OperationPath, api.OperationTag>(api.OPERATIONS, {
    serverUrl: url.replace(/\/+$/, ""),
    clientHeader: false,
    auth: key === undefined ? {} : { apiKey: { apiKey: key } },
    idempotencyKey: true,
    // The headers of a call replace the client's, in any spelling.
    onRequest: (request) => {
      const entries = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
      request.headers = Object.fromEntries(entries);
    },
    onError: (error) => new ApiError(error),
    retry: {
      retries,
      retryDelay: 500,
      // The service did not begin a request that it answers with 429. `Retry-After` marks other passing errors.
      retryOn: ({ request, response }) =>
        response?.status === 429 ||
        (isRepeatable(request.operation.id) &&
          (!response || response.headers.has("retry-after") || [502, 504].includes(response.status))),
    },
  });

export class Forkcast {
  /** One method for each operation of the API reference. Lists also have `items`, which reads them to their end. */
  readonly api: ReturnType<typeof connect>;

  /**
   * @param options.url address of the service, such as `http://localhost:3000`
   * @param options.key API key
   * @param options.retries maximum number of repetitions of a request after broken connections and overloads
   */
  constructor({ url, key, retries = 5 }: { url: string; key?: string | undefined; retries?: number }) {
    this.api = connect(url, key, retries);
  }

  /**
   * Waits for the end of a job, and returns it.
   *
   * @throws {JobError} if the job failed or was cancelled
   */
  async wait(jobId: string, { signal, onProgress }: WaitOptions = {}): Promise<api.Job> {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
      const { data: job } = await this.api.getJob({ path: { jobId } }, signal ? { signal } : {});
      onProgress?.(job);
      if (job.status === "Completed") return job;
      if (job.status === "Failed" || job.status === "Cancelled") throw new JobError(job);
      await pause(pollMs, signal);
    }
  }

  /**
   * Waits for the end of the job that a request has started: `run(forkcast.api.trainModel({ path, body: {} }))`.
   *
   * @throws {ApiError}
   * @throws {JobError}
   */
  async run<T extends { jobId: string }>(
    started: Promise<{ data: T }>,
    options?: WaitOptions,
  ): Promise<T & { job: api.Job }> {
    const { data } = await started;
    return { ...data, job: await this.wait(data.jobId, options) };
  }

  /** Creates a scenario, waits for its predictions, and returns it. */
  async createScenario(
    projectId: string,
    body: api.CreateScenarioBody,
    options: WaitOptions = {},
  ): Promise<api.Scenario> {
    const init = options.signal ? { signal: options.signal } : {};
    const created = this.api.createScenario({ path: { projectId }, body }, init);
    const { scenarioId } = await this.run(created, options);
    return (await this.api.getScenario({ path: { projectId, scenarioId } }, init)).data;
  }

  /**
   * Uploads a file, and returns the `uploadId` that other requests accept in place of `fileData`. `openAsBlob` of `node:fs`
   * streams a file from disk.
   *
   * @param options.type media type; by default that of the Blob, or `text/csv`
   */
  async upload(
    projectId: string,
    file: Blob | Uint8Array<ArrayBuffer> | string,
    { type = (file instanceof Blob && file.type) || "text/csv", ...init }: Init & { type?: string } = {},
  ): Promise<string> {
    // The API document describes the bytes of a file as a string.
    const body = file as string;
    const headers = { "Content-Type": type };
    return (await this.api.createUpload({ path: { projectId }, body }, { ...init, headers })).data.uploadId;
  }
}

/** Waits; rejects with the reason of the signal as soon as it aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
