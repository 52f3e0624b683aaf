import { openAsBlob } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sessionCookie } from "./service.ts";

const POLL_MS = 100;

/** Client of a service's API that authenticates with a session cookie, like the dashboard. */
export type Session = {
  url: string;
  /** Value of the `Cookie` header. */
  cookie: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  /** Sends a CSV file. Returns the id of the upload. */
  upload(path: string, file: string): Promise<string>;
  /** Sends a request that starts a job, and waits for the job. Returns the response of the request. */
  job<T>(path: string, body: unknown): Promise<T>;
};

/** @throws {Error} if the service rejects the sign-in */
export async function openSession(url: string): Promise<Session> {
  const cookie = await sessionCookie(url);
  const headers = { "content-type": "application/json", origin: url };
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const isFile = body instanceof Blob;
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...headers, cookie, ...(isFile && { "content-type": "text/csv" }) },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} returned status ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
  return {
    url,
    cookie,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    async upload(path, file) {
      return (await send<{ uploadId: string }>("POST", path, await openAsBlob(file))).uploadId;
    },
    async job(path, body) {
      const accepted = await send<{ jobId: string }>("POST", path, body);
      for (;;) {
        const job = await send<{ status: string; errorMessage: string | null }>(
          "GET",
          `/jobs/${accepted.jobId}`,
        );
        if (job.status === "Completed") return accepted as never;
        if (job.status === "Failed" || job.status === "Cancelled")
          throw new Error(`The job of ${path} ended with status ${job.status}: ${JSON.stringify(job)}`);
        await sleep(POLL_MS);
      }
    },
  };
}
