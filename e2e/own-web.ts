import { setTimeout as delay } from "node:timers/promises";
import { expect } from "@playwright/test";
import { type RawAnswer, sendRaw } from "./raw-client.ts";
import { sessionCookie, startWeb, type TestService } from "./service.ts";

export const MiB = 1 << 20;

export type Sending = { method?: string; headers?: Record<string, string>; stubbornBytes?: number };

/** Separate web process for a test, with a signed-in user. */
export type OwnWeb = {
  web: TestService;
  /** Headers of the signed-in user. */
  headers: Record<string, string>;
  /** ID of a project without a model, whose dataset tests may replace. */
  project: string;
  /** Returns `data` of the response, which must be a success. */
  ask<T>(method: string, address: string, body?: unknown): Promise<T>;
  /** Sends raw bytes to a path below `/api/v1`. */
  send(address: string, body: Iterable<Uint8Array>, sending?: Sending): Promise<RawAnswer>;
  /** Sends a small request, as other clients do during a test. */
  otherRequest(): Promise<void>;
  stop(): Promise<void>;
};

export async function startOwnWeb(name: string): Promise<OwnWeb> {
  const web = await startWeb(process.env.E2E_DATA_DIR!);
  const sent = { "Content-Type": "application/json", Origin: web.url };
  const headers = { ...sent, Cookie: await sessionCookie(web.url) };
  const ask: OwnWeb["ask"] = async <T>(method: string, address: string, body?: unknown) => {
    const response = await fetch(`${web.url}/api/v1${address}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: T };
    expect(response.ok, `${method} ${address}: ${JSON.stringify(answer)}`).toBe(true);
    return answer.data;
  };
  const send: OwnWeb["send"] = (address, body, { headers: more, ...sending } = {}) =>
    sendRaw(web.url, { path: `/api/v1${address}`, headers: { ...headers, ...more }, body, ...sending });
  const project = (await ask<{ id: string }>("POST", "/projects", { name })).id;
  const otherRequest = async () => {
    expect(await ask<{ id: string }>("GET", `/projects/${project}`)).toMatchObject({ id: project });
    await delay(5);
  };
  const stop = async () => {
    await ask("DELETE", `/projects/${project}`);
    await web.stop();
  };
  return { web, headers, project, ask, send, otherRequest, stop };
}

export const length = (bytes: number) => ({ "Content-Length": String(bytes) });

/** Formats the status and error code of a response. */
export const statusAndCode = ({ status, code }: Pick<RawAnswer, "status" | "code">) =>
  `${status}${code === undefined ? "" : ` ${code}`}`;
