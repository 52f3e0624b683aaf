import { setTimeout as delay } from "node:timers/promises";
import { admin } from "../service.ts";

export type Response<T> = { status: number; data: T | undefined; text: string; headers: Headers };
/** A request with its times; the status is null if no response arrived. */
export type Exchange = { fromMs: number; toMs: number; status: number | null; what: string; text: string };

const repeatForMs = 120_000;

/** Sends requests with an admin's session to one of several web processes, in turn, and records the exchanges. */
export class Client {
  readonly #urls: readonly string[];
  readonly #record: (exchange: Exchange) => void;
  #cookie = "";
  #count = 0;

  constructor(urls: readonly string[], record: (exchange: Exchange) => void) {
    this.#urls = urls;
    this.#record = record;
  }

  async signIn(): Promise<void> {
    const answer = await this.send("POST", "/api/auth/sign-in/email", JSON.stringify(admin));
    const cookies = answer?.headers.getSetCookie().map((line) => line.split(";")[0]) ?? [];
    if (cookies.length === 0) throw new Error(`The sign-in failed: ${answer?.text}`);
    this.#cookie = cookies.join("; ");
  }

  /** Returns the response; null if the connection ended without one. */
  async send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Response<unknown> | null> {
    const url = this.#urls[this.#count++ % this.#urls.length]!;
    const fromMs = Date.now();
    const note = (status: number | null, text: string) =>
      this.#record({ fromMs, toMs: Date.now(), status, what: `${method} ${path}`, text: text.slice(0, 500) });
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { origin: url, cookie: this.#cookie, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: body as BodyInit }),
        redirect: "manual",
        signal: AbortSignal.timeout(60_000),
      });
      const text = await answer.text();
      note(answer.status, text);
      const json = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
      const data = json ? (JSON.parse(text) as { data?: unknown }).data : undefined;
      return { status: answer.status, data, text, headers: answer.headers };
    } catch (error) {
      note(null, String(error));
      return null;
    }
  }

  /**
   * Repeats a request until a response other than 409 of a running repeat, 429 and 503 arrives.
   *
   * @returns null if no such response arrived in time, so that the outcome is unknown
   */
  async insist<T>(
    method: string,
    path: string,
    body: unknown,
    idempotencyKey: string | null,
  ): Promise<Response<T> | null> {
    const isText = typeof body === "string";
    const sent = body === undefined ? undefined : isText ? body : JSON.stringify(body);
    const headers = {
      ...(isText ? { "content-type": "text/csv" } : {}),
      ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
    };
    for (const deadline = Date.now() + repeatForMs; Date.now() < deadline; await delay(300)) {
      const answer = await this.send(method, `/api/v1${path}`, sent, headers);
      const isRunning = answer?.status === 409 && answer.text.includes("idempotency");
      if (answer !== null && answer.status < 500 && answer.status !== 429 && !isRunning)
        return answer as Response<T>;
    }
    return null;
  }
}
