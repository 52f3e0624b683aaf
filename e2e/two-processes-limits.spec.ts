import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { generateKey } from "#lib/domain/api-keys/key-format";
import {
  type Answer,
  type Call,
  createKey,
  createProject,
  type Pair,
  startPair,
  tally,
} from "./two-processes.ts";

let few: Pair;
let usual: Pair;
let projectId: string;

test.beforeAll(async () => {
  [few, usual] = await Promise.all([
    startPair({ RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "20", TRUST_PROXY: "1" }),
    startPair(),
  ]);
  projectId = (await createProject(usual, "Limits")).id;
});

test.afterAll(() => Promise.all([few, usual].map((pair) => pair.stop())));

const withNewKey = async (pair: Pair): Promise<Call> =>
  pair.caller({ "x-api-key": (await createKey(pair.admin, projectId)).key });

/** Sends `count` requests, `lines` at a time, alternating between both processes; some exceed the limit. */
async function flood(
  call: (index: number) => Promise<Answer>,
  count: number,
  lines: number,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const line = async () => {
    while (next < count) answers.push(await call(next++));
  };
  await Promise.all(Array.from({ length: lines }, line));
  return answers;
}

/** Returns the number of allowed requests between a limit's first and last use: the burst plus the refill. */
function allowance(answers: Answer[], rate: { perMinute: number; burst: number }) {
  const starts = answers.map(({ startedMs }) => startedMs);
  const ends = answers.map(({ endedMs }) => endedMs);
  const given = (ms: number) => rate.burst + Math.floor((Math.max(0, ms) * rate.perMinute) / 60_000);
  return {
    most: given(Math.max(...ends) - Math.min(...starts)),
    least: given(Math.max(...starts) - Math.min(...ends)),
  };
}

const passed = (answers: Answer[]) => answers.filter(({ status }) => status !== 429).length;
const waitOf = ({ headers }: Answer) => Number(headers["retry-after"]) * 1000;

function expectWithin(answers: Answer[], rate: { perMinute: number; burst: number }) {
  const { most, least } = allowance(answers, rate);
  expect(passed(answers)).toBeLessThanOrEqual(most);
  expect(passed(answers)).toBeGreaterThanOrEqual(Math.floor(0.95 * least));
}

test("enforces 600 requests a minute with burst 100 across all processes for 1,000 concurrent requests", async () => {
  const call = await withNewKey(usual);
  const answers = await flood((index) => call(index, "GET", "/api/v1/me"), 1_000, 64);
  expect(Object.keys(tally(answers)).sort()).toEqual(["200", "429 rate_limited"]);
  expectWithin(answers, { perMinute: 600, burst: 100 });
});

test("allows exactly the burst at once on two processes", async () => {
  const call = await withNewKey(few);
  const answers = await flood((index) => call(index, "GET", "/api/v1/me"), 200, 200);
  expect(passed(answers)).toBeGreaterThanOrEqual(20);
  expectWithin(answers, { perMinute: 60, burst: 20 });
});

test("allows one request after the Retry-After time of a 429", async () => {
  const call = await withNewKey(few);
  const used = await flood((index) => call(index, "GET", "/api/v1/me"), 30, 30);
  const rejected = used.findLast(({ status }) => status === 429)!;
  await delay(waitOf(rejected));
  const again = [await call(0, "GET", "/api/v1/me"), await call(1, "GET", "/api/v1/me")];
  expect(again[0]!.status).toBe(200);
  expectWithin([...used, ...again], { perMinute: 60, burst: 20 });
});

test("allows as many of 20 waiting requests as the rate has refilled", async () => {
  const call = await withNewKey(usual);
  const used = await flood((index) => call(index, "GET", "/api/v1/me"), 400, 40);
  const secondFlood = await flood((index) => call(index, "GET", "/api/v1/me"), 20, 20);
  await delay(Math.max(...secondFlood.filter(({ status }) => status === 429).map(waitOf)));
  const again = await flood((index) => call(index, "GET", "/api/v1/me"), 20, 20);
  expect(passed(again)).toBeGreaterThanOrEqual(10);
  expectWithin([...used, ...secondFlood, ...again], { perMinute: 600, burst: 100 });
});

/** Returns responses of every kind, by kind. */
async function answersOfEveryKind(): Promise<Record<string, Answer>> {
  const anonymous = usual.caller({}, "127.0.0.31");
  const program = await withNewKey(usual);
  const wrong = usual.caller({ "x-api-key": `mps_${"0".repeat(36)}` }, "127.0.0.31");
  const limited = await withNewKey(few);
  const used = await flood((index) => limited(index, "GET", "/api/v1/me"), 60, 60);
  const project = `/api/v1/projects/${projectId}`;
  const text = { headers: { "content-type": "text/plain" } };
  const { headers } = await program(0, "GET", project);
  return {
    "200 with a key": await program(0, "GET", project),
    "200 with a session": await usual.admin(1, "GET", project),
    "200 to anybody": await anonymous(0, "GET", "/api/v1/openapi.json"),
    "200 of a live process": await anonymous(1, "GET", "/api/health/live"),
    "200 of a ready process": await anonymous(0, "GET", "/api/health/ready"),
    "200 with metrics": await anonymous(1, "GET", "/api/metrics"),
    "200 to HEAD": await program(1, "HEAD", project),
    "204 to OPTIONS": await program(0, "OPTIONS", project),
    "304": await program(0, "GET", project, { headers: { "if-none-match": headers.etag! } }),
    "400 no JSON": await program(1, "POST", `${project}/predict`, { body: "{" }),
    "400 wrong field": await program(0, "POST", `${project}/predict`, { body: { inptu: {} } }),
    "400 no model": await program(1, "POST", `${project}/checkpoints`, { body: {} }),
    "401 no key": await anonymous(0, "GET", project),
    "401 wrong key": await wrong(1, "GET", project),
    "403": await program(0, "POST", `${project}/api-keys`, { body: { name: "Mine" } }),
    "404 no such project": await program(1, "GET", "/api/v1/projects/0"),
    "404 no such address": await program(0, "GET", "/api/v1/nothing"),
    "404 no address at all": await program(1, "GET", "/api/v1/%zz"),
    "405": await program(0, "PUT", project, { body: {} }),
    "412": await program(1, "PATCH", project, { body: { name: "L" }, headers: { "if-match": '"0"' } }),
    "413": await program(0, "POST", `${project}/checkpoints`, { body: { label: "x".repeat(1_100_000) } }),
    "415": await program(1, "POST", `${project}/checkpoints`, { body: "label", ...text }),
    "429": used.find(({ status }) => status === 429)!,
  };
}

test("sends RateLimit and RateLimit-Policy (IETF draft) with every kind of response", async () => {
  for (const [kind, { status, headers }] of Object.entries(await answersOfEveryKind())) {
    expect(status, kind).toBe(Number(kind.slice(0, 3)));
    const [perMinute, burst] = status === 429 ? [60, 20] : [600, 100];
    expect(headers["ratelimit-policy"], kind).toBe(`"default";q=${perMinute};w=60;mps-burst=${burst}`);
    expect(headers.ratelimit, kind).toMatch(/^"default";r=\d{1,3};t=\d+$/);
    if (status === 429) expect(headers.ratelimit).toBe(`"default";r=0;t=${headers["retry-after"]}`);
  }
});

const unknownKey = () => ({ headers: { "x-api-key": generateKey() } });

test("returns 429 after 60 failed authentications per address and minute across all processes", async () => {
  const pretend = (index: number) => ({
    "x-forwarded-for": `203.0.113.${index}`,
    "x-client-address": `203.0.113.${index}`,
    forwarded: `for=203.0.113.${index}`,
  });
  const call = usual.caller({}, "127.0.0.32");
  const answers = await flood(
    (index) => {
      const { headers } = unknownKey();
      return call(index, "GET", "/api/v1/me", {
        headers: { ...headers, ...(index % 2 ? pretend(index) : {}) },
      });
    },
    300,
    64,
  );
  expect(Object.keys(tally(answers)).sort()).toEqual(["401 api_key_invalid", "429 rate_limited"]);
  expect(passed(answers)).toBeGreaterThanOrEqual(60);
  expectWithin(answers, { perMinute: 60, burst: 60 });
  const rejected = answers.findLast(({ status }) => status === 429)!;
  expect(rejected.headers.ratelimit).toBe(`"default";r=0;t=${rejected.headers["retry-after"]}`);
  await delay(waitOf(rejected));
  expect((await call(1, "GET", "/api/v1/me", unknownKey())).status).toBe(401);
});

test("accepts a valid key from an address with too many failures, and does not limit other addresses", async () => {
  const address = "127.0.0.33";
  const call = usual.caller({}, address);
  const answers = await flood((index) => call(index, "GET", "/api/v1/me", unknownKey()), 100, 50);
  expectWithin(answers, { perMinute: 60, burst: 60 });
  const { key } = await createKey(usual.admin, projectId);
  for (const process of [0, 1]) {
    const { status } = await call(process, "GET", "/api/v1/me", { headers: { "x-api-key": key } });
    expect(status).toBe(200);
    expect((await usual.caller({}, "127.0.0.34")(process, "GET", "/api/v1/me", unknownKey())).status).toBe(
      401,
    );
  }
});

test("limits the address seen by a trusted proxy, ignoring forged addresses to its left", async () => {
  const call = few.caller({}, "127.0.0.35");
  const from = (address: string) => (index: number) => {
    const { headers } = unknownKey();
    const path = `203.0.113.${index}, ${address}`;
    return call(index, "GET", "/api/v1/me", { headers: { ...headers, "x-forwarded-for": path } });
  };
  const answers = await flood(from("198.51.100.7"), 200, 64);
  expectWithin(answers, { perMinute: 60, burst: 60 });
  expect((await from("198.51.100.8")(0)).status).toBe(401);
});
