import { setTimeout as delay, setImmediate as nextTick } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import type { Table } from "#lib/contract/table";
import { logger } from "#lib/platform/log/logger";
import { metrics } from "#lib/platform/metrics/metrics";
import { callRoute, createKey, createProject, createUser } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { CallResources } from "./call.ts";
import { defineRoute } from "./define-route.ts";
import { ProjectPath } from "./path-params.ts";
import { streamDownload } from "./response/download.ts";
import { tableDownload } from "./response/table-download.ts";

await createTestDatabase();

const route = defineRoute({
  operationId: "echo",
  tag: "Tests",
  summary: "Echo",
  auth: "project",
  params: ProjectPath,
  body: z.strictObject({ name: z.string(), list: z.array(z.number()).optional() }),
  response: z.object({ actor: z.string(), name: z.string() }),
  run: (ctx, { body }) => ({ actor: ctx.actor.userId, name: body.name }),
});

const { id: projectId } = await createProject();
const user = await createUser({ role: "analyst" });
const key = await createKey({ projectId, createdBy: user.id });

test("a key acts as the user who created it, and a session as its user", async () => {
  for (const as of [key, user]) {
    const answer = await callRoute(route, { as, params: { projectId }, body: { name: "x" } });
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, data: { actor: user.id, name: "x" } },
    });
  }
});

test("answers if resources of the request cannot be released, and logs the error", async () => {
  const error = new Error("EIO");
  using _ = vi.spyOn(CallResources.prototype, "release").mockRejectedValue(error);
  using log = vi.spyOn(logger(), "error").mockReturnValue();
  const { status } = await callRoute(route, { as: key, params: { projectId }, body: { name: "x" } });
  expect(status).toBe(200);
  expect(log).toHaveBeenCalledWith(expect.objectContaining({ err: error }), expect.any(String));
});

test("neither logs nor counts a client that disconnects during the operation as an error", async () => {
  const gone = new AbortController();
  const waiting = defineRoute({
    operationId: "wait",
    tag: "Tests",
    summary: "Wait",
    auth: "session",
    async run(ctx) {
      gone.abort(new Error("gone"));
      ctx.signal!.throwIfAborted();
      return undefined;
    },
  });
  using log = vi.spyOn(logger(), "error").mockReturnValue();
  const request = new Request("http://service.test/", { headers: user.headers, signal: gone.signal });
  const { status } = await waiting(request, { params: Promise.resolve({}) });
  expect(status).toBe(400);
  expect(log).not.toHaveBeenCalled();
  const { values } = await metrics().errors.get();
  expect(values.map(({ labels }) => labels.operation)).not.toContain("wait");
});

test("reports every issue of a body", async () => {
  const answer = await callRoute(route, {
    as: key,
    params: { projectId },
    body: { nane: "x", list: [1, "2"] },
  });
  expect(answer.status).toBe(400);
  expect(answer.error?.details?.map(({ field, code }) => [field, code])).toEqual([
    ["name", "required"],
    ["list.1", "invalid_type"],
    ["nane", "unknown_field"],
  ]);
});

async function* inColumns(content: AsyncGenerator<string>): AsyncGenerator<Table> {
  for await (const text of content)
    yield {
      rowCount: 1,
      columns: [{ name: "x", type: "category", codes: Int32Array.of(0), categories: [text] }],
    };
}

test.each([
  [
    "a file",
    (content: AsyncGenerator<string>) =>
      streamDownload(bytesOf(content), { name: "a.tar", mediaType: "application/x-tar", bytes: 2 ** 30 }),
  ],
  ["a table", (content: AsyncGenerator<string>) => tableDownload("text/csv", "a", inColumns(content))],
])("frees the content of %s for HEAD, which sends none", async (_kind, respondWith) => {
  let opened = 0;
  async function* content() {
    opened++;
    try {
      for (;;) yield "a".repeat(1 << 16);
    } finally {
      opened--;
    }
  }
  const download = defineRoute({
    operationId: "download",
    tag: "Tests",
    summary: "Download",
    auth: "session",
    rawResponses: {},
    run: async () => respondWith(content()),
  });
  const ask = (method: string) =>
    download(new Request("http://service.test/", { method, headers: user.headers }), {
      params: Promise.resolve({}),
    });
  const head = await ask("HEAD");
  await delay(50);
  expect(opened).toBe(0);
  const whole = await ask("GET");
  await expect.poll(() => opened).toBe(1);
  await whole.body!.cancel();
  await expect.poll(() => opened).toBe(0);
  const fixed = ({ status, headers }: Response) => [
    status,
    [...headers].filter(([name]) => name !== "x-request-id"),
  ];
  expect(fixed(head)).toEqual(fixed(whole));
});

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

test("writes a long response piece by piece, with other work between two", async () => {
  const columns = Array.from({ length: 10 }, (_, id) => ({
    id,
    values: Array.from({ length: 20_000 }, (_, at) => at / 7),
  }));
  const long = defineRoute({
    operationId: "long",
    tag: "Tests",
    summary: "Long",
    auth: "project",
    params: ProjectPath,
    response: z.object({ columns: z.array(z.unknown()) }),
    run: () => ({ columns }),
  });
  const request = new Request("http://service.test/", { headers: key.headers });
  const response = await long(request, { params: Promise.resolve({ projectId }) });
  expect(response.headers.get("content-type")).toBe("application/json");
  let turns = 0;
  let isRead = false;
  const other = (async () => {
    for (; !isRead; turns++) await nextTick();
  })();
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body!) chunks.push(chunk);
  isRead = true;
  await other;
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({ success: true, data: { columns } });
  expect(chunks.length).toBeGreaterThan(40);
  expect(turns).toBeGreaterThanOrEqual(chunks.length);
});
