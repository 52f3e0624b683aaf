import { setTimeout as delay } from "node:timers/promises";
import { sessionCookie } from "../service.ts";

export type Sent = {
  method: string;
  /** Path below `/api/v1`, or from the root if it begins with `/api/`. */
  path: string;
  /** Objects are sent as JSON. */
  body?: object | string | Uint8Array | undefined;
  headers?: Record<string, string>;
};
export type Got = {
  status: number;
  text: string;
  data: Record<string, unknown> & { id: string; jobId: string };
};

/** Time after which a call counts as not answered. */
const answerMs = 300_000;
const pollMs = 100;

export const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64");

/** Sends requests of a tenant, with a session or a key. */
export class Tenant {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  static async signedIn(url: string): Promise<Tenant> {
    return new Tenant(url, { origin: url, cookie: await sessionCookie(url) });
  }

  /** @throws {Error} if no response arrives, or if the signal aborts */
  async send({ method, path, body, headers }: Sent, signal?: AbortSignal): Promise<Got> {
    const isBytes = typeof body === "string" || body instanceof Uint8Array;
    const late = AbortSignal.timeout(answerMs);
    const answer = await fetch(`${this.#url}${path.startsWith("/api/") ? path : `/api/v1${path}`}`, {
      method,
      headers: { "content-type": isBytes ? "text/csv" : "application/json", ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body: (isBytes ? body : JSON.stringify(body)) as BodyInit }),
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
    const data = isJson && text.length < 20_000_000 ? (JSON.parse(text) as { data: Got["data"] }).data : {};
    return { status: answer.status, text: text.slice(0, 500), data: data as Got["data"] };
  }

  /** @throws {Error} unless the response is a success */
  async ask(method: string, path: string, body?: Sent["body"]): Promise<Got["data"]> {
    const { status, text, data } = await this.send({ method, path, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return data;
  }

  async download(path: string): Promise<Uint8Array> {
    const answer = await fetch(`${this.#url}/api/v1${path}`, { headers: this.#headers });
    return new Uint8Array(await answer.arrayBuffer());
  }

  /** Waits for the end of a job and returns its status. */
  async ended(jobId: string): Promise<string> {
    for (;;) {
      const { status } = await this.ask("GET", `/jobs/${jobId}`);
      if (["Completed", "Failed", "Cancelled"].includes(status as string)) return status as string;
      await delay(pollMs);
    }
  }

  /** Sends a request that starts a job, and waits for its success. */
  async complete(method: string, path: string, body?: Sent["body"]): Promise<Got["data"]> {
    const made = await this.ask(method, path, body);
    const status = await this.ended(made.jobId);
    if (status !== "Completed") throw new Error(`The job of ${method} ${path} ended as ${status}.`);
    return made;
  }
}
