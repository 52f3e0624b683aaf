import { setImmediate } from "node:timers/promises";
import { and, eq, gt, sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { idempotencyKeys } from "#db/schema/access";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { storeIdempotentResponse } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { callRoute, createKey, createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";

const { db } = await createTestDatabase();

let runs = 0;
let gate: Promise<void> = Promise.resolve();
const route = defineRoute({
  operationId: "createThing",
  tag: "Tests",
  summary: "Create",
  auth: "project",
  params: ProjectPath,
  body: z.strictObject({ name: z.string() }),
  response: z.object({ run: z.number(), secret: z.string() }),
  status: 201,
  idempotent: true,
  async run(ctx, { body }) {
    runs += 1;
    const data = { run: runs, secret: "a secret of the answer" };
    await gate;
    if (body.name === "rejected") throw new DomainError("duplicate_label", "No.");
    if (body.name === "forgotten") return data;
    await ctx.db.transaction((tx) => storeIdempotentResponse(tx, ctx, data));
    if (body.name === "fails afterwards") throw new Error("The commit is done.");
    return data;
  },
});

const { id: projectId } = await createProject();
const key = await createKey({ projectId });
const other = await createKey({ projectId });
beforeEach(() => {
  runs = 0;
  gate = Promise.resolve();
});

const post = (idempotencyKey: string, name = "x", as = key) =>
  callRoute<{ run: number }>(route, {
    as,
    params: { projectId },
    body: { name },
    headers: { "idempotency-key": idempotencyKey },
  });

/** Expires the lease of the request. */
const expire = (idempotencyKey: string) =>
  db
    .update(idempotencyKeys)
    .set({ lockedUntil: sql`now() - interval '1 second'` })
    .where(eq(idempotencyKeys.key, idempotencyKey));

test("a repeated request receives the first response, and nothing runs twice", async () => {
  const first = await post("again");
  const second = await post("again");
  expect(second).toMatchObject({ status: 201, text: first.text });
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  expect(runs).toBe(1);
});

test("a repeat after a change of AUTH_SECRET returns 422 and creates nothing", async () => {
  const first = await post("sealed");
  const before = process.env.AUTH_SECRET;
  onTestFinished(() => setEnvironment({ AUTH_SECRET: before ?? "" }));
  setEnvironment({ AUTH_SECRET: "another secret of at least 32 characters" });
  const { status, error } = await post("sealed");
  expect([status, error?.code]).toEqual([422, "idempotency_mismatch"]);
  expect(error?.message).toContain("cannot be shown again");
  expect(runs).toBe(1);
  setEnvironment({ AUTH_SECRET: before ?? "" });
  expect((await post("sealed")).text).toBe(first.text);
});

test("a different body with the same key returns 422", async () => {
  await post("mismatch", "x");
  const answer = await post("mismatch", "y");
  expect([answer.status, answer.error?.code]).toEqual([422, "idempotency_mismatch"]);
});

test("a repeat returns 409 while the first request runs, and only one of many concurrent requests runs", async () => {
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  const racing = Array.from({ length: 10 }, () => post("running"));
  const answered: Awaited<(typeof racing)[number]>[] = [];
  const allButOne = Promise.withResolvers<void>();
  for (const item of racing) {
    void item.then((answer) => {
      answered.push(answer);
      if (answered.length === racing.length - 1) allButOne.resolve();
    });
  }
  await allButOne.promise;
  for (const answer of answered) {
    expect([answer.status, answer.error?.code]).toEqual([409, "idempotency_in_progress"]);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  opened.resolve();
  const answers = await Promise.all(racing);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(runs).toBe(1);
  expect((await post("running")).data.run).toBe(1);
});

test("a key of a dead process is free once its lease has expired, and not before", async () => {
  await post("crashed");
  const mine = eq(idempotencyKeys.key, "crashed");
  await db.update(idempotencyKeys).set({ answer: null }).where(mine);
  expect((await post("crashed")).status).toBe(409);
  await expire("crashed");
  expect((await post("crashed")).data.run).toBe(2);
});

test("a committed response is replayed, even if the request failed afterwards", async () => {
  expect((await post("broken off", "fails afterwards")).status).toBe(500);
  const again = await post("broken off", "fails afterwards");
  expect([again.status, again.data.run]).toEqual([201, 1]);
});

test("a request that outlives its lease commits nothing once another request holds its key", async () => {
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  const slow = post("overtaken");
  while (runs === 0) await setImmediate();
  await expire("overtaken");
  gate = Promise.resolve();
  const second = await post("overtaken");
  expect([second.status, second.data.run]).toEqual([201, 2]);
  opened.resolve();
  const overtaken = await slow;
  expect([overtaken.status, overtaken.error?.code]).toEqual([409, "idempotency_in_progress"]);
  expect(overtaken.headers.get("retry-after")).toBe("1");
  expect((await post("overtaken")).text).toBe(second.text);
});

test("a long request renews its lease, so that no other request takes its key", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  const slow = post("long");
  while (runs === 0) await setImmediate();
  await expire("long");
  vi.advanceTimersByTime(10_000);
  const alive = and(eq(idempotencyKeys.key, "long"), gt(idempotencyKeys.lockedUntil, sql`now()`));
  while ((await db.$count(idempotencyKeys, alive)) === 0) await setImmediate();
  expect((await post("long")).status).toBe(409);
  opened.resolve();
  expect([(await slow).status, runs]).toEqual([201, 1]);
});

test("rejects an operation that does not store its response", async () => {
  expect((await post("forgotten", "forgotten")).status).toBe(500);
});

test("a key is free again after 24 hours", async () => {
  await post("old");
  await db
    .update(idempotencyKeys)
    .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    .where(eq(idempotencyKeys.key, "old"));
  expect((await post("old", "another body")).data.run).toBe(2);
});

test("an error leaves the key free for the corrected request", async () => {
  expect((await post("mended", "rejected")).status).toBe(400);
  expect((await post("mended", "fine")).status).toBe(201);
});

test("callers do not share idempotency keys", async () => {
  await post("mine");
  expect((await post("mine", "x", other)).data.run).toBe(2);
});

test("a stored response cannot be read in the database", async () => {
  await post("sealed");
  const [row] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, "sealed"));
  expect(row?.answer?.length).toBeGreaterThan(28);
  expect(Buffer.from(row!.answer!).includes("secret")).toBe(false);
});

test.each([
  ["", 400],
  ["k".repeat(256), 400],
  ["k".repeat(255), 201],
])("checks the length of key %#", async (idempotencyKey, status) => {
  expect((await post(idempotencyKey)).status).toBe(status);
});
