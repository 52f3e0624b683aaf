import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { limits } from "#lib/contract/limits";
import type { Model } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
import { comparable } from "./comparable-answer.ts";
import { repeat, sendRaw } from "./raw-client.ts";
import { findDemo, sessionCookie, startWeb, type TestService } from "./service.ts";

// One route declaration has two adapters. The server's own responses must equal those of Next.js byte for byte. An
// escaped character in the project ID routes the request to Next.js.

let web: TestService;
let session: Record<string, string>;
let trained: { id: string; model: Model };
let empty: string;

test.beforeAll(async () => {
  web = await startWeb(process.env.E2E_DATA_DIR!, { RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "3" });
  session = { Origin: web.url, Cookie: await sessionCookie(web.url) };
  const { id } = findDemo(await ask<Project[]>("GET", ""));
  trained = { id, model: await ask<Model>("GET", `/${id}/models/current`) };
  empty = (await ask<{ id: string }>("POST", "", { name: "Two adapters" })).id;
});

test.afterAll(async () => {
  await ask("DELETE", `/${empty}`);
  await web.stop();
});

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${web.url}/api/v1/projects${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...session },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: T }).data;
}

const escaped = (id: string) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
const newKey = async (id: string) =>
  (await ask<{ key: string }>("POST", `/${id}/api-keys`, { name: "Adapters" })).key;

/** Sends rows to the demo's model; `changes` adds rows and issues. */
function inputOf(rows: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const column = ({ type, median, categories }: Model["inputFeatures"][number]) =>
    Array.from({ length: rows }, (_, row) =>
      type === "timestamp"
        ? new Date(Date.UTC(2016, 0, 1) + row * 3_600_000).toISOString()
        : (median ?? categories?.[0] ?? 1),
    );
  const known = trained.model.inputFeatures.map((feature) => [feature.name, column(feature)]);
  return { ...Object.fromEntries(known), ...changes };
}

function* padded(bytes: Buffer, more: number): Generator<Uint8Array> {
  yield bytes;
  yield* repeat(Buffer.alloc(1 << 16, " "), more);
}

type Case = {
  project?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Uses a new key, so that both adapters have used the same share of their limit, or the admin's session. */
  by?: "key" | "session" | "anonymous";
  query?: string;
  /** Number of concurrent requests; compares the first one rejected by the limit. */
  calls?: number;
  /** Sends the body in chunks with this much trailing white space. */
  paddedBytes?: number;
};

const first = () => trained.model.inputFeatures.find(({ type }) => type === "number")!.name;

const cases: Record<string, () => Case> = {
  "one row": () => ({ body: { input: inputOf(1) } }),
  "rows with all optional results": () => ({
    body: { input: inputOf(30), include: ["intervals", "contributions"] },
  }),
  "a compressed response": () => ({
    body: { input: inputOf(500) },
    headers: { "Accept-Encoding": "gzip, deflate, br" },
  }),
  "a response that must not be compressed": () => ({
    body: { input: inputOf(500) },
    headers: { "Accept-Encoding": "gzip;q=0" },
  }),
  "a session": () => ({ body: { input: inputOf(2) }, by: "session" }),
  "an unknown query parameter": () => ({ body: { input: inputOf(1) }, query: "?a=1" }),
  warnings: () => ({ body: { input: inputOf(2, { more: [1, 2], [first()]: [1e9, 1] }) } }),
  "headers without effect": () => ({
    body: { input: inputOf(1) },
    headers: {
      "If-Match": '"x"',
      "Idempotency-Key": "x",
      "X-Forwarded-For": "10.0.0.1",
      "X-Request-Id": "mine",
    },
  }),
  anonymous: () => ({ body: { input: inputOf(1) }, by: "anonymous" }),
  "a wrong key": () => ({ body: {}, by: "anonymous", headers: { "X-API-Key": "mps_wrong" } }),
  "an expired session": () => ({
    body: {},
    by: "anonymous",
    headers: { Cookie: "better-auth.session_token=x.y" },
  }),
  "another site's origin": () => ({ body: {}, by: "session", headers: { Origin: "https://evil.test" } }),
  "a missing project": () => ({
    project: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f",
    body: {},
    by: "session",
  }),
  "a project of another key": () => ({
    project: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f",
    body: { input: inputOf(1) },
  }),
  "no model": () => ({ project: empty, body: { input: inputOf(1) } }),
  "a missing checkpoint": () => ({ body: { input: inputOf(1), checkpointId: trained.id } }),
  "invalid JSON": () => ({ body: '{"input":' }),
  nothing: () => ({ body: "" }),
  "invalid UTF-8": () => ({ body: Buffer.from([0x22, 0xff, 0x22]) }),
  "a __proto__ key": () => ({ body: '{"__proto__":{}}' }),
  "unknown and missing fields": () => ({ body: { inputs: {}, include: ["all"] } }),
  "another media type": () => ({ body: "a=1", headers: { "Content-Type": "text/plain" } }),
  "a content coding": () => ({ body: "x", headers: { "Content-Encoding": "gzip" } }),
  "missing features": () => ({ body: { input: {} } }),
  "arrays of unequal length": () => ({ body: { input: inputOf(3, { [first()]: [1] }) } }),
  "values of the wrong type": () => ({ body: { input: inputOf(2, { [first()]: ["x", true] }) } }),
  "a row above the limit": () => ({ body: { input: inputOf(limits.predictRows + 1) } }),
  "a Content-Length above the limit": () => ({
    body: "",
    headers: { "Content-Length": String(limits.predictBytes + 1) },
  }),
  "a chunked body above the limit": () => ({ body: "{}", paddedBytes: limits.predictBytes }),
  "a body in chunks": () => ({ body: { input: inputOf(2) }, paddedBytes: 2_000_000 }),
  "a body with Expect": () => ({
    body: { input: inputOf(1) },
    headers: { Expect: "100-continue" },
  }),
  "a rejected request with Expect": () => ({
    body: {},
    by: "anonymous",
    headers: { Expect: "100-continue" },
  }),
  "a request above the rate limit": () => ({ body: { input: inputOf(1) }, calls: 12 }),
};

async function answerOf(
  adapter: "own" | "next",
  { body, by = "key", calls = 1, paddedBytes = 0, ...given }: Case,
) {
  const { project = trained.id, query = "", headers = {} } = given;
  const credentials = {
    session,
    anonymous: {},
    key: { "X-API-Key": await newKey(empty === project ? empty : trained.id) },
  };
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const request = {
    path: `/api/v1/projects/${adapter === "own" ? project : escaped(project)}/predict${query}`,
    headers: {
      "Content-Type": "application/json",
      ...(paddedBytes === 0 && { "Content-Length": String(bytes.length) }),
      ...(by === "key" ? credentials.key : by === "session" ? credentials.session : {}),
      ...headers,
    },
    body: paddedBytes === 0 ? [bytes] : padded(bytes, paddedBytes),
  };
  const answers = await Promise.all(Array.from({ length: calls }, () => sendRaw(web.url, request)));
  const texts = answers.map(({ text }) => text);
  return comparable(texts.find((text) => text.startsWith("HTTP/1.1 429")) ?? texts[0]!);
}

for (const [name, given] of Object.entries(cases)) {
  test(`returns the same response from both adapters: ${name}`, async () => {
    const [own, next] = [await answerOf("own", given()), await answerOf("next", given())];
    expect(next.adapter).toBe("next");
    expect(own).toEqual({ ...next, adapter: "own" });
  });
}

test("returns the same response from both adapters: a client that half-closes the connection within its body", async () => {
  const answers: object[] = [];
  for (const id of [trained.id, escaped(trained.id)]) {
    const { hostname, port, host } = new URL(web.url);
    const socket = connect(Number(port), hostname);
    const headers = { Host: host, ...session, "Content-Type": "application/json", "Content-Length": "100" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`POST /api/v1/projects/${id}/predict HTTP/1.1\r\n${lines.join("")}\r\n{"input":`);
    answers.push(comparable(await text(socket)));
  }
  expect(answers[0]).toEqual({ ...answers[1], adapter: "own" });
});
