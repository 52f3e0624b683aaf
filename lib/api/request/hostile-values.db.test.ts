import { describe, expect, test } from "vitest";
import { ErrorBody } from "#lib/contract/common";
import { callRoute, createUser, type RouteAnswer } from "#testing/api";
import { type FieldPath, fieldsOfType, withValue } from "#testing/body-fields";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

await createTestDatabase();
const cases = await routeCases();

const admin = await createUser();
const own = await createPopulatedProject();

/** Checks that the response reveals no internals: no stack, SQL or file path. */
const inside =
  /\n\s+at |node:|node_modules|\.tsx?\b|\/(?:tmp|home|work|var)\/|\b(?:select|insert|update|delete)\b.*\b(?:from|into|set|where)\b|postgres|drizzle/i;

function expectAnswer(answer: RouteAnswer, sent: unknown): void {
  const shown = `${JSON.stringify(sent)?.slice(0, 300)}: ${answer.text.slice(0, 500)}`;
  expect(answer.status, shown).toBeLessThan(500);
  if (answer.status < 400) return;
  expect(ErrorBody.safeParse(answer.body).error, shown).toBeUndefined();
  expect(answer.text).not.toMatch(inside);
}

const fieldRows = (kind: "body" | "query", type: "string" | "number") =>
  cases.flatMap((item) => {
    const schema = item.handler.declaration[kind];
    const paths = schema ? fieldsOfType(schema, type) : [];
    return paths.map((path): [string, RouteCase, FieldPath] => [
      `${item.name} ${path.join(".")}`,
      item,
      path,
    ]);
  });

/** Valid calls whose objects still exist, because no call has succeeded since their creation. */
const unused = new Map<string, CallParts>();

/** Sends a valid call with some parts changed. */
async function send(item: RouteCase, change: (valid: CallParts) => CallParts): Promise<RouteAnswer> {
  const valid = unused.get(item.name) ?? (await validCalls[item.name]!(own));
  unused.set(item.name, valid);
  const answer = await callRoute(item.handler, { ...item.call({ ...valid, ...change(valid) }), as: admin });
  if (answer.status < 400) unused.delete(item.name);
  return answer;
}

const sendField = (item: RouteCase, kind: "body" | "query", path: FieldPath, value: unknown) =>
  send(item, (valid) => ({ [kind]: withValue(valid[kind] ?? {}, path, value) }));

const texts = [
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59-23:59",
  "%00%ff'; drop table projects; -- ../../../etc/passwd \u202eturned\ufeff\u200b\uffff",
  "e\u0301".repeat(10_000),
];

describe("strings in bodies", () => {
  test.each(fieldRows("body", "string"))("%s", async (_name, item, path) => {
    for (const text of ["a\0b", "an unpaired \ud83d surrogate"]) {
      const { status, error } = await sendField(item, "body", path, text);
      expect([status, error?.code]).toEqual([400, "validation_failed"]);
      expect(error?.details?.map(({ field }) => field)).toContain(path.join("."));
    }
    // An object whose `toString` is no function cannot become a string.
    for (const text of [...texts, { toString: 1 }])
      expectAnswer(await sendField(item, "body", path, text), text);
  });
});

describe("numbers in bodies", () => {
  const numbers = ["1e400", "-1e308", "5e-324", "9007199254740993", "1".repeat(5_000)];

  test.each(fieldRows("body", "number"))("%s", async (_name, item, path) => {
    for (const number of numbers) {
      const answer = await send(item, ({ body }) => ({
        body: JSON.stringify(withValue(body, path, "the number")).replace('"the number"', number),
      }));
      expectAnswer(answer, number);
    }
  });
});

describe("queries", () => {
  const values = [...texts, "", "\0", "-1", "9".repeat(400), "1.5", "__proto__", ["1", "2"], ["", ""]];
  const rows = cases.flatMap((item): [string, RouteCase, string][] => {
    const { query } = item.handler.declaration;
    const names = Object.keys((query as { shape?: object } | undefined)?.shape ?? {});
    return names.map((name) => [`${item.name} ${name}`, item, name]);
  });

  test.each(rows)("%s", async (_name, item, name) => {
    for (const value of values) expectAnswer(await sendField(item, "query", [name], value), value);
  });
});

describe("whole bodies", () => {
  const deep = (open: string, close: string) =>
    open.repeat(100_000 / open.length) + close.repeat(100_000 / open.length);
  const bodies: [string, unknown][] = [
    ["nothing", ""],
    ["null", "null"],
    ["a number", "1e400"],
    ["a text", '"text"'],
    ["nested arrays", deep("[", "]")],
    ["unterminated nested arrays", "[".repeat(200_000)],
    ["nested objects", deep('{"a":', "}").replace(":}", ":1}")],
    ["nested arrays in a field", `{"name":${deep("[", "]")},"input":${deep("[", "]")}}`],
    ["very many fields", `{${Array.from({ length: 50_000 }, (_, at) => `"f${at}":1`).join()}}`],
    ["very many items", `[${"0,".repeat(400_000)}0]`],
    ["a name twice", '{"name":"a","name":1,"input":{},"input":1}'],
    ["a field name with an invalid character", '{"\\ud800":1,"a\\u0000":1}'],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ["UTF-16", new Uint8Array(Buffer.from('\ufeff{"name":"a"}', "utf16le"))],
    ["a byte order mark", '\ufeff{"name":"a"}'],
    ["NaN", '{"name":NaN}'],
  ];
  const takers = cases.filter(({ handler }) => handler.declaration.body !== undefined);

  test.each(bodies)("%s", async (name, body) => {
    for (const item of takers) expectAnswer(await send(item, () => ({ body })), `${item.name}: ${name}`);
  });
});
