import type { ErrorDetail, Failure, Job, Paths, Scenario } from "./api.js";

export type * from "./api.js";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Addresses that have a method, such as `/projects/{projectId}/scenarios`. */
export type PathWith<M extends Method> = {
  [P in keyof Paths]: Paths[P] extends { [method in M]: unknown } ? P : never;
}[keyof Paths];

type OperationOf<M extends Method, P extends keyof Paths> = Paths[P] extends { [method in M]: infer O }
  ? O
  : never;
type ResponseOf<O> = O extends { response: infer R } ? R : never;

export type CallOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Key that all attempts of a creating request carry. Default: a random one for each call. */
  idempotencyKey?: string;
};
type Input<O> = Omit<O, "response"> & CallOptions;
type Options<O> =
  Record<never, never> extends Omit<O, "response"> ? [options?: Input<O>] : [options: Input<O>];

type Send<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...options: Options<OperationOf<M, P>>
) => Promise<ResponseOf<OperationOf<M, P>>>;

/** Addresses whose POST starts a job. */
export type JobPath = {
  [P in PathWith<"post">]: ResponseOf<OperationOf<"post", P>> extends { jobId: string } ? P : never;
}[PathWith<"post">];
/** Addresses of lists. */
export type ListPath = {
  [P in PathWith<"get">]: ResponseOf<OperationOf<"get", P>> extends readonly unknown[] ? P : never;
}[PathWith<"get">];

export type WaitOptions = { signal?: AbortSignal | undefined; onProgress?: (job: Job) => void };
export type CreateScenario = OperationOf<"post", "/projects/{projectId}/scenarios">["body"];

export declare class Forkcast {
  /**
   * @param options.url address of the service, such as `http://localhost:3000`
   * @param options.key API key
   * @param options.retries maximum number of repetitions of a request after broken connections and overloads; default 5
   */
  constructor(options: { url: string; key?: string; retries?: number });
  get: Send<"get">;
  post: Send<"post">;
  put: Send<"put">;
  patch: Send<"patch">;
  delete: Send<"delete">;
  /**
   * Returns the response of a success: its headers, such as `ETag`, or a file by the header `Accept`.
   *
   * @throws {ApiError}
   */
  request<M extends Uppercase<Method>, P extends PathWith<Lowercase<M>>>(
    method: M,
    path: P,
    ...options: Options<OperationOf<Lowercase<M>, P>>
  ): Promise<Response>;
  /** Reads a list to its end, page by page. */
  all<P extends ListPath>(
    path: P,
    ...options: Options<OperationOf<"get", P>>
  ): AsyncGenerator<ResponseOf<OperationOf<"get", P>> extends readonly (infer Item)[] ? Item : never>;
  /**
   * Waits for the end of a job, and returns it.
   *
   * @throws {JobError} if the job failed or was cancelled
   */
  wait(jobId: string, options?: WaitOptions): Promise<Job>;
  /**
   * Sends a request that starts a job, and waits for its end.
   *
   * @throws {ApiError}
   * @throws {JobError}
   */
  run<P extends JobPath>(
    path: P,
    options: Input<OperationOf<"post", P>> & WaitOptions,
  ): Promise<ResponseOf<OperationOf<"post", P>> & { job: Job }>;
  /** Creates a scenario, waits for its predictions, and returns it. */
  createScenario(
    projectId: string,
    body: CreateScenario,
    options?: CallOptions & WaitOptions,
  ): Promise<Scenario>;
  /**
   * Uploads a file, and returns the `uploadId` that other requests accept in place of `fileData`. `openAsBlob` of `node:fs`
   * streams a file from disk.
   *
   * @param options.type media type; by default that of the Blob, or `text/csv`
   */
  upload(
    projectId: string,
    file: Blob | Uint8Array<ArrayBuffer> | string,
    options?: CallOptions & { type?: string },
  ): Promise<string>;
}

/** Error response of the service. */
export declare class ApiError extends Error {
  override readonly name: "ApiError";
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  readonly code: Failure["error"]["code"] | "network";
  readonly details: ErrorDetail[];
  readonly requestId: string | null;
}

/** A job that failed or was cancelled. */
export declare class JobError extends Error {
  override readonly name: "JobError";
  readonly job: Job;
}
