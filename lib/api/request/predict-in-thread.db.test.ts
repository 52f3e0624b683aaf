import { describe, expect, it, vi } from "vitest";
import { limits } from "#lib/contract/limits";
import { callRoute, createKey, createProject } from "#testing/api";
import { trainCaseModel } from "#testing/csv-case-model";
import { createTestDatabase } from "#testing/postgres";
import { POST } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { predictInThread } from "./predict-in-thread.ts";

await createTestDatabase();
const { projectId } = await trainCaseModel();
const trained = { projectId, as: await createKey({ projectId }) };
const { id } = await createProject();
const empty = { projectId: id, as: await createKey({ projectId: id }) };

const run = vi.spyOn(predictInThread, "run");

const inputOf = (rows: number, changes: Record<string, unknown[]> = {}) => ({
  when: Array.from({ length: rows }, (_, at) => new Date(Date.UTC(2024, 2, 1, at)).toISOString()),
  temp: Array.from({ length: rows }, (_, at) => (at % 7) + 0.1),
  city: Array.from({ length: rows }, (_, at) => (at % 3 === 0 ? "Köln" : "Bonn")),
  open: Array.from({ length: rows }, (_, at) => at % 2 === 0),
  ...changes,
});

/** Pads a body with whitespace, which changes only its length. */
const longer = (body: string) => body + " ".repeat(predictInThread.bytes);

async function answered({ projectId, as }: typeof trained, body: string) {
  const before = run.mock.calls.length;
  const { status, headers, text } = await callRoute(POST, { params: { projectId }, as, body });
  const shownHeaders = [...headers].filter(([name]) => !/^(x-request-id|ratelimit.*)$/.test(name));
  const id = headers.get("x-request-id")!;
  return { inThread: run.mock.calls.length > before, status, shownHeaders, text: text.replaceAll(id, "…") };
}

describe("a thread returns the same bytes for a long body as the main thread for a short one:", () => {
  it.each<[string, number, unknown]>([
    ["rows", 200, { input: inputOf(300) }],
    ["all optional data", 200, { input: inputOf(20), include: ["intervals", "contributions"] }],
    ["warnings", 200, { input: inputOf(3, { more: [1, 2, 3], temp: [1e9, 1, 2] }) }],
    ["no model", 400, { input: inputOf(1) }],
    [
      "an unknown checkpoint",
      404,
      { input: inputOf(1), checkpointId: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f" },
    ],
    ["no JSON", 400, '{"input":'],
    ["a prototype", 400, '{"input":{},"__proto__":{}}'],
    ["an unpaired surrogate", 400, '{"input":{"city":["\\ud800"]}}'],
    ["unknown and missing fields", 400, { inputs: {}, include: ["all"] }],
    ["missing features", 400, { input: {} }],
    ["arrays of unequal length", 400, { input: inputOf(3, { temp: [1] }) }],
    ["cells of invalid types", 400, { input: inputOf(150, { temp: Array(150).fill({}) }) }],
    ["more issues than are listed", 400, { input: inputOf(150, { temp: Array(150).fill("warm") }) }],
  ])("%s", async (name, status, body) => {
    const whose = name === "no model" ? empty : trained;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const here = await answered(whose, text);
    expect(here).toMatchObject({ status, inThread: false });
    expect(await answered(whose, longer(text))).toEqual({ ...here, inThread: true });
  });

  it.each<[string, object]>([
    ["features", Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`e${at}`, [1]]))],
    ["levels", { levels: Array(3_000).fill(1) }],
    // zod cannot return so many issues.
    ["parts", { include: Array(200_000).fill(1) }],
  ])("many %s in a short body", async (name, fields) => {
    const body =
      name === "features" ? { input: { ...inputOf(1), ...fields } } : { input: inputOf(1), ...fields };
    const { inThread, status } = await answered(trained, JSON.stringify(body));
    expect([inThread, status]).toEqual([true, name === "features" ? 200 : 400]);
  });

  it("one row too many, and exactly the limit", async () => {
    const rows = limits.predictRows;
    const { inThread, status, text } = await answered(trained, JSON.stringify({ input: inputOf(rows) }));
    expect({ inThread, status }).toEqual({ inThread: true, status: 200 });
    const all = JSON.parse(text).data.predictions;
    const input = Object.fromEntries(
      Object.entries(inputOf(rows)).map(([name, values]) => [name, values.slice(0, 500)]),
    );
    const first = await answered(trained, JSON.stringify({ input }));
    expect(first.inThread).toBe(false);
    expect(JSON.parse(first.text).data.predictions).toEqual(all.slice(0, 500));
    const more = await answered(trained, JSON.stringify({ input: inputOf(rows + 1) }));
    expect([more.inThread, more.status]).toEqual([true, 400]);
    expect(more.text).toContain("too_many_rows");
  });
});

it("concurrent long requests each receive their own response", async () => {
  const asked = Array.from({ length: 8 }, (_, at) => JSON.stringify({ input: inputOf(10 + at) }));
  const long = await Promise.all(asked.map((body) => answered(trained, longer(body))));
  const short = await Promise.all(asked.map((body) => answered(trained, body)));
  expect(long.map(({ text }) => text)).toEqual(short.map(({ text }) => text));
});

it("a client that disconnects while waiting leaves the queue", async () => {
  const gone = new AbortController();
  const params = { projectId: trained.projectId };
  const json = Buffer.from(longer(JSON.stringify({ input: inputOf(10) })));
  const ctx = (signal: AbortSignal) => ({ requestId: "", actor: null, signal }) as never;
  const others = Array.from({ length: 8 }, () =>
    predictInThread.run(ctx(new AbortController().signal), { params, json }),
  );
  const left = predictInThread.run(ctx(gone.signal), { params, json });
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect((await Promise.all(others)).map((text) => JSON.parse(text).data.rowCount)).toEqual(
    Array(8).fill(10),
  );
});
