import fc from "fast-check";
import type { Sql } from "postgres";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { memberLock } from "#lib/domain/users/members";
import { newId } from "#lib/platform/ids/new-id";
import { callRoute, createUser } from "#testing/api";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, type RouteCase, routeCases } from "#testing/route-cases";
import { setEnvironment } from "#testing/set-environment";
import { validCalls } from "#testing/valid-calls";
import { waitForLock } from "#testing/wait-for-lock";

// Single resources carry an `ETag`. `If-Match` is honoured wherever a client sends it.

const { sql } = await createTestDatabase({ max: 30 });
setEnvironment({
  SMTP_URL: "smtp://localhost",
  MAIL_FROM: "forkcast@example.com",
  PUBLIC_URL: "https://forkcast.example.com",
});
const cases = new Map((await routeCases()).map((item) => [item.name, item]));
const named = (...methods: string[]) =>
  [...cases].filter(([, { method, handler }]) => {
    return methods.includes(method) && handler.declaration.auth !== "public";
  });

/** Computed for the request: not a resource that a client can change. */
const computed = [
  "compareScenarios",
  "exportCheckpoint",
  "getCheckpointRecord",
  "getDatasetChanges",
  "getDatasetRows",
  "getModelChanges",
  "getScenarioActuals",
  "explainDifference",
  "getExtrapolation",
  "listExtrapolations",
  "getGeneratedInputs",
  "getScenarioFilters",
  "getScenarioStability",
  "getScenarioTemplate",
  "getLiveModel",
  "getSensitivity",
  "getTargetSeries",
  "getTrackRecord",
  "explainPredictions",
  "listPredictions",
  "listScenarioRows",
  "getRealtime",
];
const singles = named("GET").filter(
  ([
    ,
    {
      handler: { declaration },
    },
  ]) => {
    return !(declaration.response instanceof z.ZodArray) && !computed.includes(declaration.operationId);
  },
);
/** Appending to a resource and cancelling it also change it. Others create something from the resource in their path. */
const posting = named("POST").filter(([, { handler }]) => handler.declaration.ifMatch);
const isCreating = ([, { handler }]: (typeof posting)[number]) =>
  handler.declaration.status === 201 || !handler.declaration.etag;
const creating = posting.filter(isCreating);
const changing = [...named("PUT", "PATCH", "DELETE"), ...posting.filter((one) => !isCreating(one))];

const admin = await createUser();
const own = await createPopulatedProject({ upstream: [await createPopulatedProject()] });

const ask = (item: RouteCase, parts: CallParts, headers: Record<string, string> = {}) => {
  const call = item.call(parts);
  return callRoute(item.handler, { ...call, headers: { ...call.headers, ...headers }, as: admin });
};
/** Values that are not a list of tags match no tag. */
const misspelt = (tag: string) => [`w/${tag}`, `x${tag}`, `${tag}x`, `"a" ${tag}`, `${tag};q=1`];
const partsOf = async (name: string) => validCalls[name]!(own);

describe.each(singles)("%s", (name, item) => {
  test("carries a strong entity tag, the same for the same state", async () => {
    const first = await ask(item, await partsOf(name));
    expect(first.headers.get("etag")).toMatch(/^"[\w-]{20,}"$/);
    const again = await ask(item, await partsOf(name));
    expect([again.text, again.headers.get("etag")]).toEqual([first.text, first.headers.get("etag")]);
  });

  test("is not sent again to a client that has it, for every form of If-None-Match", async () => {
    const parts = await partsOf(name);
    const tag = (await ask(item, parts)).headers.get("etag")!;
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"a,b",W/${tag} , "c"`, "*", " * "]) {
      const answer = await ask(item, parts, { "if-none-match": known });
      expect([known, answer.status, answer.text]).toEqual([known, 304, ""]);
      expect(answer.headers.get("etag")).toBe(tag);
      expect(answer.headers.get("content-type")).toBeNull();
    }
    for (const unknown of [
      '"other"',
      tag.slice(1, -1),
      `"${tag.slice(1, -1)}x"`,
      "",
      '"*"',
      tag.toUpperCase(),
      ...misspelt(tag),
    ]) {
      const answer = await ask(item, parts, { "if-none-match": unknown });
      expect([unknown, answer.status]).toEqual([unknown, 200]);
    }
  });

  test("honours If-Match", async () => {
    const parts = await partsOf(name);
    const tag = (await ask(item, parts)).headers.get("etag")!;
    expect((await ask(item, parts, { "if-match": tag })).status).toBe(200);
    const answer = await ask(item, parts, { "if-match": '"stale"' });
    expect([answer.status, answer.error?.code]).toEqual([412, "precondition_failed"]);
  });
});

/** Reads the resource that a route changes. null if it has no separate GET. */
function readerOf(name: string): RouteCase | null {
  const path = name
    .slice(name.indexOf(" ") + 1)
    .replace(/\/(?:dependencies|rows|versions\/\{versionId\}\/restore|cancel|retry|rotate)$/, "")
    .replace("{projectId}/overrides/", "{projectId}/scenarios/{scenarioId}/overrides/")
    .replace("{projectId}/deliveries/", "{projectId}/webhooks/{webhookId}/deliveries/")
    .replace(/\/(?:overrides|runs|end|test|deliveries\/\{deliveryId\}\/resend)$/, "");
  return cases.get(`GET ${path}`) ?? null;
}
const tagOf = async (name: string, parts: CallParts) => {
  const reader = readerOf(name);
  return reader && (await ask(reader, { ...(parts.params && { params: parts.params }) })).headers.get("etag");
};

describe.each(changing)("%s", (name, item) => {
  test("changes nothing if If-Match does not name the current state", async () => {
    const parts = await partsOf(name);
    const tag = await tagOf(name, parts);
    for (const stale of [
      '"stale"',
      '"a", "b"',
      "",
      "stale",
      ...(tag ? [`W/${tag}`, tag.slice(1, -1), ...misspelt(tag)] : []),
    ]) {
      const answer = await ask(item, parts, { "if-match": stale });
      expect([stale, answer.status, answer.error?.code]).toEqual([stale, 412, "precondition_failed"]);
    }
    expect(await tagOf(name, parts)).toBe(tag);
  });

  test("applies the change if If-Match names the state alone, in a list, or as a star", async () => {
    for (const spell of [(tag: string) => tag, (tag: string) => `"other" , ${tag},"more"`, () => "*"]) {
      const parts = await partsOf(name);
      const tag = await tagOf(name, parts);
      const answer = await ask(item, parts, { "if-match": tag === null ? "*" : spell(tag) });
      expect([200, 202], answer.text).toContain(answer.status);
    }
  });
});

test("every resource that can be changed has a read with its entity tag", () => {
  // Uploads and versions of datasets are only listed and deleted. They never change.
  const editable = [...changing, ...creating].filter(
    ([name]) => !/\/(?:uploads\/\{uploadId|versions\/\{versionId)\}$/.test(name),
  );
  const without = editable.filter(([name]) => !readerOf(name)?.handler.declaration.etag);
  expect(without.map(([name]) => name)).toEqual([]);
});

/** Changes that each result in a different state. */
const changes: Record<string, (parts: CallParts, index: number) => unknown> = {
  // Its valid call requests no mail.
  "POST /api/v1/jobs/{jobId}/mail": () => ({ whenEnded: true }),
  "PUT /api/v1/projects/{projectId}/checkpoints/{checkpointId}": (_, index) => ({ label: `Label ${index}` }),
  "PUT /api/v1/projects/{projectId}/dataset": ({ body }) => body,
  "PATCH /api/v1/projects/{projectId}/dataset": ({ body }) => body,
  "PUT /api/v1/projects/{projectId}/dependencies": ({ body }, index) => ({
    dependencies: (body as typeof own).dependencies.map((one) => ({
      ...one,
      featureName: `upstream ${index}`,
    })),
  }),
  "PATCH /api/v1/projects/{projectId}": (_, index) => ({ name: `Name ${index}` }),
  "PATCH /api/v1/projects/{projectId}/comparisons/{comparisonId}": (_, index) => ({ name: `Name ${index}` }),
  "PATCH /api/v1/projects/{projectId}/webhooks/{webhookId}": (_, index) => ({
    url: `https://example.com/${index}`,
  }),
  "PATCH /api/v1/projects/{projectId}/scenarios/{scenarioId}": (_, index) => ({ title: `Title ${index}` }),
};

describe("of 20 concurrent changes based on the same state", () => {
  const readable = changing.filter(([name]) => readerOf(name) !== null);

  test.each(readable)("exactly one succeeds: %s", async (name, item) => {
    const parts = await partsOf(name);
    const tag = (await tagOf(name, parts))!;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const body = changes[name]?.(parts, index);
        return ask(item, body === undefined ? parts : { ...parts, body }, { "if-match": tag });
      }),
    );
    const [won, ...lost] = answers.toSorted((a, b) => a.status - b.status);
    expect([200, 202], won!.text).toContain(won!.status);
    // A deleted resource no longer exists. A revoked key stays.
    const isGone = item.method === "DELETE" && !name.includes("{keyId}");
    expect(lost.every(({ status }) => status === (isGone ? 404 : 412))).toBe(true);
    if (item.method !== "DELETE") expect(won!.headers.get("etag")).toBe(await tagOf(name, parts));
  });

  test("there are changes to test", () => {
    expect(readable.length).toBeGreaterThan(6);
    expect(Object.keys(changes).filter((name) => !readable.some(([other]) => other === name))).toEqual([]);
  });
});

describe("detects a change that commits between read and write, even without If-Match", () => {
  type Between = (tx: Sql, parts: CallParts) => Promise<unknown>;
  const ofProject: Between = (tx, { params }) =>
    tx`update projects set description = ${newId()} where id = ${params!.projectId!}`;
  const ofCheckpoint: Between = async (tx, { params }) => {
    await tx`select from projects where id = ${params!.projectId!} for no key update`;
    await tx`update checkpoints set description = ${newId()} where id = ${params!.checkpointId!}`;
  };
  const ofScenario: Between = (tx, { params }) =>
    tx`update scenarios set description = ${newId()} where id = ${params!.scenarioId!}`;
  const ofJob: Between = (tx, { params }) =>
    tx`update jobs set message = ${newId()} where id = ${params!.jobId!}`;
  const ofComparison: Between = async (tx, { params }) => {
    await tx`select from projects where id = ${params!.projectId!} for no key update`;
    await tx`update comparisons set name = ${newId()} where id = ${params!.comparisonId!}`;
  };
  const ofMember: Between = async (tx, { params }) => {
    await tx`select pg_advisory_xact_lock(${memberLock})`;
    await tx`update "user" set name = ${newId()} where id = ${params!.userId!}`;
  };
  const ofProjectMember: Between = async (tx, { params }) => {
    await tx`select from projects where id = ${params!.projectId!} for no key update`;
    await tx`update project_members set role = 'admin' where user_id = ${params!.userId!}`;
  };
  const ofWebhook: Between = (tx, { params }) =>
    tx`update webhooks set url = ${`https://example.com/${newId()}`} where id = ${params!.webhookId!}`;
  const ofKey: Between = (tx, { params }) =>
    tx`update api_keys set last_used_at = now() where id = ${params!.keyId!}`;
  const ofMail: Between = async (tx, { params }) => {
    await tx`select from jobs where id = ${params!.jobId!} for no key update`;
    await tx`
      with withdrawn as (delete from mails where job_id = ${params!.jobId!} returning id)
      insert into mails (kind, user_id, job_id)
      select 'job-ended', id, ${params!.jobId!} from "user" where not exists (select from withdrawn)`;
  };
  const ofLink: Between = async (tx, { params }) => {
    await tx`select from projects where id = ${params!.projectId!} for no key update`;
    await tx`delete from verification where value = ${params!.comparisonId!}`;
    await tx`
      insert into verification (id, identifier, value, expires_at)
      values (${newId()}, ${newId()}, ${params!.comparisonId!}, now() + interval '1 hour')`;
  };
  const between: [string, Between][] = [...changing, ...creating].flatMap(([name]) => {
    if (readerOf(name) === null || name.includes("/dataset")) return [];
    // Overrides and ended jobs never change.
    if (name.includes("{overrideId}") || name.endsWith("/retry")) return [];
    if (name.endsWith("/mail")) return [[name, ofMail]];
    if (name.includes("/link")) return [[name, ofLink]];
    if (name.includes("{jobId}")) return [[name, ofJob]];
    if (name.includes("{scenarioId}")) return [[name, ofScenario]];
    if (name.includes("{comparisonId}")) return [[name, ofComparison]];
    if (name.includes("{userId}")) return [[name, name.includes("{projectId}") ? ofProjectMember : ofMember]];
    if (name.includes("{keyId}")) return [[name, ofKey]];
    if (/\{(?:webhook|delivery)Id\}/.test(name)) return [[name, ofWebhook]];
    return [[name, name.includes("{checkpointId}") ? ofCheckpoint : ofProject]];
  });

  test.each(between)("%s", async (name, change) => {
    const parts = await partsOf(name);
    const tag = (await tagOf(name, parts))!;
    let answer: ReturnType<typeof ask> | undefined;
    await sql.begin(async (tx) => {
      await change(tx as unknown as Sql, parts);
      answer = ask(cases.get(name)!, parts, { "if-match": tag });
      await waitForLock(sql);
    });
    expect((await answer!).status).toBe(412);
  });
});

describe.each(creating)("%s", (name, item) => {
  test("creates nothing if If-Match does not name the state of the resource in the path", async () => {
    const parts = await partsOf(name);
    const stale = await ask(item, parts, { "if-match": '"stale"' });
    expect([stale.status, stale.error?.code]).toEqual([412, "precondition_failed"]);
    const tag = (await tagOf(name, parts)) ?? "*";
    const answer = await ask(item, parts, { "if-match": tag });
    expect(answer.status, answer.text).toBe(item.handler.declaration.status ?? 200);
  });
});

const creations = named("POST").filter(([, { handler }]) => handler.declaration.status === 201);
const isTagged = ([, { handler }]: (typeof creations)[number]) => handler.declaration.etag;

test("every response with a new resource carries its entity tag, except those with a secret and those without a read", () => {
  expect(
    creations
      .filter((one) => !isTagged(one))
      .map(([, { handler }]) => handler.declaration.operationId)
      .toSorted(),
  ).toEqual(["createApiKey", "createUpload", "createWebhook", "rotateApiKey", "rotateWebhook"]);
});

test.each(creations.filter(isTagged))("%s returns the entity tag of the next read", async (name, item) => {
  const parts = await partsOf(name);
  const created = await ask(item, parts);
  const { id, userId = id } = created.data as { id: string; userId?: string };
  const path = name.replace("POST", "GET");
  const reader = [...cases.values()].find((one) => one.name.replace(/\/\{\w+\}$/, "") === path)!;
  const read = await ask(reader, { params: { ...parts.params, [reader.ids.at(-1)!]: userId } });
  expect([created.headers.get("etag"), created.data]).toEqual([read.headers.get("etag"), read.data]);
});

/** Compute from a scenario and change nothing. */
const computing = ["previewScenario", "seekGoal"];

test("supports If-Match in every POST below one existing resource of a project, except those that only compute", () => {
  const below = named("POST").filter(
    ([name, { ids }]) => ids.some((id) => id !== "projectId") || name.includes("/dataset/"),
  );
  const without = below.filter(([, { handler }]) => !handler.declaration.ifMatch);
  expect(without.map(([, { handler }]) => handler.declaration.operationId).toSorted()).toEqual(computing);
});

test("an entity tag changes exactly when the state does", async () => {
  const item = cases.get("GET /api/v1/projects/{projectId}/scenarios/{scenarioId}")!;
  const change = cases.get("PATCH /api/v1/projects/{projectId}/scenarios/{scenarioId}")!;
  const params = { projectId: own.projectId, scenarioId: own.scenarioId };
  const few = fc.constantFrom("a", "b");
  const tags = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(fc.record({ title: few, description: fc.option(few) }), async (body) => {
      expect((await ask(change, { params, body })).status).toBe(200);
      const { text, headers } = await ask(item, { params });
      const tag = headers.get("etag")!;
      expect(tags.get(text) ?? tag).toBe(tag);
      tags.set(text, tag);
    }),
    { numRuns: 40 },
  );
  expect(new Set(tags.values()).size).toBe(tags.size);
});
