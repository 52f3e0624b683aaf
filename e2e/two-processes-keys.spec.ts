import { expect, test } from "@playwright/test";
import type { ApiKey } from "#lib/contract/api-keys";
import {
  type Answer,
  type Call,
  createKey,
  createProject,
  nowMs,
  type Pair,
  startPair,
} from "./two-processes.ts";

// Once a call that revokes a key has returned, every process rejects new requests with the key.

const plenty = {
  RATE_LIMIT_PER_MINUTE: "1000000",
  RATE_LIMIT_BURST: "1000000",
  AUTH_FAILURES_PER_MINUTE: "1000000",
};

/** Tolerance between the clocks of the database and of this test. */
const clocksMs = 20;

type Key = { id: string; key: string };
type Sighting = { key: Key; answer: Answer };

let pair: Pair;
let projectId: string;
let anyone: Call;

test.beforeAll(async () => {
  pair = await startPair(plenty);
  projectId = (await createProject(pair, "Revocations")).id;
  anyone = pair.caller({}, "127.0.0.21");
});

test.afterAll(() => pair.stop());

const use = async (process: number, key: Key): Promise<Sighting> => ({
  key,
  answer: await anyone(process, "GET", "/api/v1/me", { headers: { "x-api-key": key.key } }),
});

/** Creates keys, with a browser's concurrency. */
async function createKeys(count: number): Promise<Key[]> {
  const keys: Key[] = [];
  while (keys.length < count) {
    keys.push(...(await Promise.all(Array.from({ length: 10 }, () => createKey(pair.admin, projectId)))));
  }
  return keys;
}

/** Sends requests on 4 connections, alternating between both processes, until `stop` is called. */
function startTraffic(choose: (count: number) => Key): { stop: () => Promise<Sighting[]> } {
  const seen: Sighting[] = [];
  let count = 0;
  let running = true;
  const lines = Array.from({ length: 4 }, async (_, line) => {
    while (running) seen.push(await use(line, choose(count++)));
  });
  const stop = async () => {
    running = false;
    await Promise.all(lines);
    return seen;
  };
  return { stop };
}

/**
 * Ends each key during traffic with it and other keys, then sends requests with it to both processes.
 *
 * @returns requests with an unexpected response
 */
async function endInTraffic(keys: Key[], end: (key: Key, index: number) => Promise<Answer>) {
  let at = 0;
  const traffic = startTraffic((count) => keys[(at + (count % 5)) % keys.length]!);
  const ended = new Map<Key, Answer>();
  const afterwards: Sighting[] = [];
  for (const key of keys) {
    ended.set(key, await end(key, at));
    afterwards.push(...(await Promise.all([use(0, key), use(1, key)])));
    at++;
  }
  const seen = [...(await traffic.stop()), ...afterwards];
  return judge(seen, (key) => ({ fromMs: ended.get(key)!.startedMs, untilMs: ended.get(key)!.endedMs }));
}

/**
 * Requests before `fromMs` must succeed, and requests started after `untilMs` must fail; both results are valid in
 * between.
 */
function judge(seen: Sighting[], ending: (key: Key) => { fromMs: number; untilMs: number }) {
  const wrong = seen.filter(({ key, answer }) => {
    const { fromMs, untilMs } = ending(key);
    const letIn = answer.status === 200;
    const rejected = answer.status === 401 && answer.code === "api_key_invalid";
    if (answer.endedMs < fromMs) return !letIn;
    if (answer.startedMs >= untilMs) return !rejected;
    return !letIn && !rejected;
  });
  const after = seen.filter(({ key, answer }) => answer.startedMs >= ending(key).untilMs).length;
  return { wrong, after };
}

test("returns 401 on both processes for every request after 20 keys are revoked during traffic", async () => {
  const keys = await createKeys(20);
  const { wrong, after } = await endInTraffic(keys, (key, index) =>
    pair.admin(index, "DELETE", `/api/v1/projects/${projectId}/api-keys/${key.id}`),
  );
  expect(wrong).toEqual([]);
  expect(after).toBeGreaterThanOrEqual(40);
});

test("ends the old key on every process immediately for a rotation without overlap", async () => {
  const keys = await createKeys(10);
  const { wrong, after } = await endInTraffic(keys, (key, index) =>
    pair.admin(index, "POST", `/api/v1/projects/${projectId}/api-keys/${key.id}/rotate`, {
      body: { overlapSeconds: 0 },
    }),
  );
  expect(wrong).toEqual([]);
  expect(after).toBeGreaterThanOrEqual(20);
});

test("ends a key on every process at its expiry, here the end of a rotation's overlap", async () => {
  const keys = await createKeys(20);
  const traffic = startTraffic((count) => keys[count % keys.length]!);
  const path = `/api/v1/projects/${projectId}/api-keys`;
  const body = { overlapSeconds: 1 };
  await Promise.all(keys.map(({ id }, index) => pair.admin(index, "POST", `${path}/${id}/rotate`, { body })));
  const listed = (await pair.admin(0, "GET", `${path}?limit=200`)).data as ApiKey[];
  const expiryMs = new Map(listed.map(({ id, expiresAt }) => [id, Date.parse(expiresAt ?? "")]));
  await expect.poll(nowMs).toBeGreaterThan(Math.max(...keys.map(({ id }) => expiryMs.get(id)!)) + clocksMs);
  const last = await Promise.all(keys.flatMap((key) => [use(0, key), use(1, key)]));
  const { wrong, after } = judge([...(await traffic.stop()), ...last], ({ id }) => ({
    fromMs: expiryMs.get(id)! - clocksMs,
    untilMs: expiryMs.get(id)! + clocksMs,
  }));
  expect(wrong).toEqual([]);
  expect(after).toBeGreaterThanOrEqual(40);
});
