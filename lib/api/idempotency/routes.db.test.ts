import { sql as raw } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { idempotencyKeys } from "#db/schema/access";
import { newId } from "#lib/platform/ids/new-id";
import { runHousekeeping } from "#server/worker/housekeeping";
import { callRoute, createUser, type RouteAnswer, type RouteCall } from "#testing/api";
import { countCreated, countedOperations, creatingRoutes, repeatableCall } from "#testing/creating-routes";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";

// Every POST that creates accepts `Idempotency-Key`: at most 255 characters, stored for 24 hours, per key or user. The
// same body returns the same response, so only one job exists. A different body returns 422. A repeat during the first
// request returns 409.

const { db, sql } = await createTestDatabase({ max: 30 });
const creating = await creatingRoutes();

const own = await createPopulatedProject();
const [admin, otherAdmin] = [await createUser(), await createUser()];

/** POSTs that create nothing that could exist twice. */
const creatingNothing = [
  "cancelJob",
  "predict",
  "previewScenario",
  "resendDelivery",
  "resendDeliveryOfProject",
  "seekGoal",
  "validateScenario",
  "authorizeChannel",
  "changePassword",
  "endSessions",
  "setJobMail",
  "endComparisonLink",
  "openSharedComparison",
];
/** Called before any key exists. Works only once. */
const once = "createFirstAdmin";

test("every POST that creates supports the header and is tested here", async () => {
  const posts = (await routeCases()).filter(({ method }) => method === "POST");
  const without = posts.filter(({ handler }) => !handler.declaration.idempotent);
  const operationOf = ({ handler }: RouteCase) => handler.declaration.operationId;
  expect(without.map(operationOf).sort()).toEqual([...creatingNothing, once].sort());
  expect(creating.map(([, item]) => operationOf(item)).sort()).toEqual(countedOperations.toSorted());
});

const send = (item: RouteCase, call: RouteCall, key: string, as = admin) =>
  callRoute(item.handler, { ...call, as, headers: { ...call.headers, "idempotency-key": key } });
const isReplay = ({ headers }: RouteAnswer) => headers.get("idempotent-replayed") === "true";
const codeOf = ({ status, error }: RouteAnswer) => `${status} ${error?.code}`;

function expectInProgress(answer: RouteAnswer) {
  expect(codeOf(answer)).toBe("409 idempotency_in_progress");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
}

describe.each(creating)("%s", (_name, item) => {
  test("one of 20 concurrent equal requests creates, and all others receive its response or 409", async () => {
    const call = await repeatableCall(item, own);
    const key = newId();
    const before = await countCreated(sql, item);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(item, call(), key)));
    const [first, ...more] = answers.filter((answer) => answer.status < 300 && !isReplay(answer));
    expect([first?.status, more.length], answers[0]!.text).toEqual([
      item.handler.declaration.status ?? 200,
      0,
    ]);
    for (const answer of answers) {
      if (answer === first) continue;
      if (isReplay(answer)) expect([answer.status, answer.text]).toEqual([first!.status, first!.text]);
      else expectInProgress(answer);
    }
    const again = await send(item, call(), key);
    expect([again.status, again.text, isReplay(again)]).toEqual([first!.status, first!.text, true]);
    for (const name of ["content-type", "etag"]) {
      expect(again.headers.get(name)).toBe(first!.headers.get(name));
    }
    expect(again.headers.get("x-request-id")).not.toBe(first!.headers.get("x-request-id"));
    expect((await countCreated(sql, item)) - before).toBe(1);
  });

  test("one of 20 concurrent different requests with one key creates, and the others are rejected", async () => {
    const call = await repeatableCall(item, own);
    const key = newId();
    const before = await countCreated(sql, item);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, variant) => send(item, call(variant), key)),
    );
    const [first, ...more] = answers.filter(({ status }) => status < 300);
    expect([first?.status, more], answers[0]!.text).toEqual([item.handler.declaration.status ?? 200, []]);
    for (const answer of answers) {
      if (answer === first || codeOf(answer) === "422 idempotency_mismatch") continue;
      expectInProgress(answer);
    }
    for (const [variant, answer] of answers.entries()) {
      const again = await send(item, call(variant), key);
      if (answer === first) expect(again.text).toBe(first?.text);
      else expect(codeOf(again)).toBe("422 idempotency_mismatch");
    }
    expect((await countCreated(sql, item)) - before).toBe(1);
  });

  test("treats bodies with the same content as equal, and bodies with different content as different", async () => {
    const call = await repeatableCall(item, own);
    const key = newId();
    const first = await send(item, call(), key);
    expect(first.status, first.text).toBeLessThan(300);
    const { headers = {}, body, ...rest } = call();
    const bytes = Buffer.from(String(body ?? ""));
    const type = headers["content-type"] ?? "application/json";
    for (const more of [
      { "content-length": String(bytes.length) },
      { "transfer-encoding": "chunked" },
      { "content-type": `${type}; charset=UTF-8` },
    ]) {
      const same = { ...rest, ...(body === undefined ? {} : { body }), headers: { ...headers, ...more } };
      expect((await send(item, same, key)).text).toBe(first.text);
    }
    for (const same of otherwiseWritten(item, body)) {
      expect((await send(item, { ...rest, headers, body: same }, key)).text, same).toBe(first.text);
    }
    for (const other of [call(1), ...otherFiles(call())]) {
      expect(codeOf(await send(item, other, key))).toBe("422 idempotency_mismatch");
    }
    if (item.handler.declaration.body !== undefined) {
      const invalid = { ...call(), headers: { "content-type": "application/json" } };
      for (const [body, code] of [
        ['{"no":"field"}', "400 validation_failed"],
        ["{", "400 malformed_json"],
      ] as const) {
        expect(codeOf(await send(item, { ...invalid, body }, key))).toBe("422 idempotency_mismatch");
        expect(codeOf(await send(item, { ...invalid, body }, newId()))).toBe(code);
        expect(codeOf(await send(item, { ...invalid, body }, key, otherAdmin))).toBe(code);
      }
    }
    expect(isReplay(await send(item, call(), key))).toBe(true);
  });

  test("keeps keys per caller, for 24 hours", async () => {
    const call = await repeatableCall(item, own);
    const key = newId();
    const first = await send(item, call(), key);
    const another = await send(item, (await repeatableCall(item, own))(), key, otherAdmin);
    expect([another.status, isReplay(another)], another.text).toEqual([first.status, false]);
    await age("23 hours 59 minutes");
    await runHousekeeping(db);
    expect(isReplay(await send(item, call(), key))).toBe(true);
    await age("24 hours 1 minute");
    const next = await send(item, (await repeatableCall(item, own))(), key);
    expect([next.status, isReplay(next)], next.text).toEqual([first.status, false]);
    await age("24 hours 1 minute");
    await runHousekeeping(db);
    expect(await db.$count(idempotencyKeys)).toBe(0);
  });
});

/** The same JSON as another library or another attempt might write it. */
function otherwiseWritten({ handler }: RouteCase, body: unknown): string[] {
  if (typeof body !== "string" || handler.declaration.body === undefined) return [];
  const fields = Object.entries(JSON.parse(body) as object);
  return [
    JSON.stringify(Object.fromEntries(fields), null, 2),
    JSON.stringify(Object.fromEntries(fields.toReversed())),
    body.replaceAll("/", "\\/"),
  ];
}

/** The same body with another file, and with an invalid file. */
function otherFiles({ body, ...rest }: RouteCall): RouteCall[] {
  const sent = typeof body === "string" && body.startsWith("{") ? JSON.parse(body) : {};
  if (sent.fileData === undefined) return [];
  return ["YQ==", `${sent.fileData}=`].map((fileData) => ({
    ...rest,
    body: JSON.stringify({ ...sent, fileData }),
  }));
}

/** Makes all keys this old. */
const age = (time: string) => db.update(idempotencyKeys).set({ createdAt: raw`now() - ${time}::interval` });
