import { repeatable } from "./api.js";

/** Carries the service's error response. `status` is 0 if no response arrived. */
export class ApiError extends Error {
  name = "ApiError";
  /**
   * @param {number} status
   * @param {{ code?: string, message: string, details?: object[], requestId?: string }} error
   * @param {ErrorOptions} [options]
   */
  constructor(status, { code = "network", message, details = [], requestId = null }, options) {
    super(message, options);
    Object.assign(this, { status, code, details, requestId });
  }
}

/** Carries a job that failed or was cancelled. */
export class JobError extends Error {
  name = "JobError";
  constructor(job) {
    super(job.error?.message ?? `The job ended with the status ${job.status}.`);
    this.job = job;
  }
}

const firstDelayMs = 500;
const longestDelayMs = 30_000;
const firstPollMs = 250;
const longestPollMs = 5_000;

export class Forkcast {
  #url;
  #key;
  #retries;

  constructor({ url, key, retries = 5 }) {
    this.#url = url.replace(/\/+$/, "");
    this.#key = key;
    this.#retries = retries;
  }

  get = (path, options) => this.#data("GET", path, options);
  post = (path, options) => this.#data("POST", path, options);
  put = (path, options) => this.#data("PUT", path, options);
  patch = (path, options) => this.#data("PATCH", path, options);
  delete = (path, options) => this.#data("DELETE", path, options);

  async #data(method, path, options) {
    return (await (await this.request(method, path, options)).json()).data;
  }

  /**
   * Sends a request and returns the response of a success. Repeats it after a broken connection or an overload, unless that
   * could change something twice: all attempts of a POST that creates a resource carry the same `Idempotency-Key`.
   */
  async request(method, path, { path: ids = {}, query = {}, body, headers, idempotencyKey, signal } = {}) {
    const isRepeatable = method === "POST" && repeatable.has(path);
    const url = new URL(
      `${this.#url}/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, id) => encodeURIComponent(ids[id]))}`,
    );
    for (const [name, value] of Object.entries(query))
      if (value != null) for (const one of [value].flat()) url.searchParams.append(name, one);
    const isFile = typeof body === "string" || body instanceof Blob || ArrayBuffer.isView(body);
    const init = {
      method,
      headers: {
        ...(this.#key && { "x-api-key": this.#key }),
        ...(body !== undefined && !isFile && { "content-type": "application/json" }),
        ...(isRepeatable && { "idempotency-key": idempotencyKey ?? crypto.randomUUID() }),
        ...headers,
      },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    };
    for (let attempt = 0; ; attempt++) {
      const { response, error } = await attemptOf(url, init);
      if (response) return response;
      const mayRepeat = error.status === 429 || ((method === "GET" || isRepeatable) && isPassing(error));
      if (!mayRepeat || attempt >= this.#retries) throw error;
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + Math.random() / 2);
      await pause(Math.max(delayMs, error.retryAfterMs ?? 0), signal);
    }
  }

  /** Reads a list to its end. The `Link` header of each page has the next one. */
  async *all(path, options = {}) {
    for (let cursor; cursor !== null; ) {
      const query = { ...options.query, ...(cursor && { cursor }) };
      const response = await this.request("GET", path, { ...options, query });
      yield* (await response.json()).data;
      const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      cursor = next ? new URL(next, this.#url).searchParams.get("cursor") : null;
    }
  }

  /** Waits for the end of a job, and returns it. */
  async wait(jobId, { signal, onProgress } = {}) {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
      const job = await this.get("/jobs/{jobId}", { path: { jobId }, ...(signal && { signal }) });
      onProgress?.(job);
      if (job.status === "Completed") return job;
      if (job.status === "Failed" || job.status === "Cancelled") throw new JobError(job);
      await pause(pollMs, signal);
    }
  }

  /** Sends a request that starts a job, and waits for the job's end. */
  async run(path, { onProgress, ...options }) {
    const accepted = await this.post(path, options);
    const job = await this.wait(accepted.jobId, { onProgress, signal: options.signal });
    return { ...accepted, job };
  }

  /** Creates a scenario, waits for its predictions, and returns it. */
  async createScenario(projectId, body, options = {}) {
    const { scenarioId } = await this.run("/projects/{projectId}/scenarios", {
      path: { projectId },
      body,
      ...options,
    });
    return this.get("/projects/{projectId}/scenarios/{scenarioId}", { path: { projectId, scenarioId } });
  }

  /** Uploads a file, and returns the ID that other requests accept in place of `fileData`. */
  async upload(
    projectId,
    file,
    { type = (file instanceof Blob && file.type) || "text/csv", ...options } = {},
  ) {
    const headers = { "content-type": type, ...options.headers };
    const path = { projectId };
    return (await this.post("/projects/{projectId}/uploads", { path, body: file, ...options, headers }))
      .uploadId;
  }
}

/** Returns the response of a success, or the error of the attempt. */
async function attemptOf(url, init) {
  let response;
  try {
    response = await fetch(url, init);
    if (response.ok) return { response };
    const answer = JSON.parse(await response.text());
    return { error: withDelay(new ApiError(response.status, answer.error), response) };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    const status = response?.status ?? 0;
    const message =
      status === 0 ? "No response arrived." : `The response with the status ${status} is unreadable.`;
    return { error: new ApiError(status, { message }, { cause }) };
  }
}

function withDelay(error, response) {
  const seconds = Number(response.headers.get("retry-after"));
  return Object.assign(error, seconds > 0 && { retryAfterMs: 1_000 * seconds });
}

/** Returns whether the same request may succeed later. */
const isPassing = ({ status, code }) =>
  [0, 502, 503, 504].includes(status) || code === "idempotency_in_progress";

/** Waits; rejects with the reason of the signal as soon as it aborts. */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
