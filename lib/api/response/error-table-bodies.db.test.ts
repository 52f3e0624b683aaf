import { expect, test } from "vitest";
import { callRoute, createKey, createProject } from "#testing/api";
import { expectError } from "#testing/error-cases/expect-error";
import { createTestDatabase } from "#testing/postgres";
import { GET as listJobs } from "../../../app/api/v1/jobs/project/[projectId]/route.ts";
import { PATCH } from "../../../app/api/v1/projects/[projectId]/route.ts";

await createTestDatabase();

const projectId = (await createProject({ name: "Weather" })).id;
const key = await createKey({ projectId });

const patch = (body: unknown, headers: Record<string, string> = {}) =>
  callRoute(PATCH, { method: "PATCH", as: key, params: { projectId }, body, headers });

test.each([
  ["", "The body is empty. Send a JSON object."],
  ["{", expect.stringMatching(/^The body is not valid JSON: /)],
  ['{"name": "a",}', "The body is not valid JSON: look at position 13."],
  [new Uint8Array([0x22, 0xff, 0x22]), "The body is not valid UTF-8. Encode it in UTF-8."],
  ['{"__proto__": {"x": 1}}', "The body contains the key __proto__, which is not allowed. Remove it."],
  [
    '{"name": {"\\u005f_proto__": 1}}',
    "The body contains the key __proto__, which is not allowed. Remove it.",
  ],
])("malformed_json: %j", async (body, message) => {
  expectError(await patch(body), "malformed_json", message);
});

test("accepts a value that contains the text __proto__", async () => {
  expect((await patch({ description: "a __proto__ in words" })).status).toBe(200);
});

test("the last value of a duplicate field applies", async () => {
  const answer = await patch('{"description":"first","description":"last"}');
  expect(answer.data).toMatchObject({ description: "last" });
});

test.each<[unknown, object[]]>([
  [{}, [{ code: "custom", message: "Send at least one field to change" }]],
  [
    { name: "x", nmae: "x" },
    [{ field: "nmae", code: "unknown_field", message: "nmae is not a field of this request" }],
  ],
  [{ name: "" }, [{ field: "name", code: "too_small", message: "name: Use at least 1 character" }]],
  [
    { name: "a\0b", description: "\ud800" },
    ["name", "description"].map((field) => ({
      field,
      code: "invalid_text",
      message: `${field} contains a character that is not allowed: NUL or an unpaired surrogate`,
    })),
  ],
  [[], [{ code: "invalid_type", message: "Send an object, not an array" }]],
  [null, [{ code: "invalid_type", message: "Send an object, not null" }]],
])("validation_failed: %j", async (body, details) => {
  const message = expect.stringMatching(/^The body is not valid: .*\.$/);
  expectError(await patch(body), "validation_failed", message, details);
});

test("lists every issue: at most a hundred, then the number of further issues", async () => {
  const wrong = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`wrong${index}`, 1]));
  const { error } = await patch({ name: "x", ...wrong });
  expect(error?.details?.slice(0, 100).map(({ field }) => field)).toEqual(Object.keys(wrong).slice(0, 100));
  expect(error?.details?.slice(100)).toEqual([{ code: "more", message: "30 more issues are not listed" }]);
});

test.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""])(
  "unsupported_media_type: %j",
  async (type) => {
    const message = "Send the body as application/json in UTF-8, with a matching header Content-Type.";
    const answer = await patch({ name: "x" }, { "content-type": type });
    const details = [{ field: "Content-Type", code: "unsupported_media_type", message }];
    expectError(answer, "unsupported_media_type", message, details);
  },
);

test.each(["application/json; charset=utf-8", "Application/JSON", 'application/json; charset="UTF-8"'])(
  "taken: %j",
  async (type) => {
    expect((await patch({ description: "x" }, { "content-type": type })).status).toBe(200);
  },
);

const tooLarge = "The body exceeds the limit of 1,000,000 bytes. Send a smaller body.";

test("payload_too_large for a declared size", async () => {
  expectError(await patch("{}", { "content-length": "1000001" }), "payload_too_large", tooLarge);
});

test("payload_too_large for a received size, without reading further than necessary", async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(32));
    },
  });
  const request = new Request(`http://service.test/api/v1/projects/${projectId}`, {
    method: "PATCH",
    headers: { ...key.headers, "content-type": "application/json" },
    body: endless,
    duplex: "half",
  } as RequestInit);
  const response = await PATCH(request, { params: Promise.resolve({ projectId }) });
  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(1_500_000);
});

test("reads a body of exactly the limit", async () => {
  const text = '{"description":"x"}';
  expect((await patch(text.padEnd(1_000_000))).status).toBe(200);
  expect((await patch(text.padEnd(1_000_001))).status).toBe(413);
});

test("rejects a repeated parameter, unless it can be repeated", async () => {
  const path = { as: key, params: { projectId } };
  const { error } = await callRoute(listJobs, { ...path, query: { limit: ["1", "2"] } });
  expect(error).toMatchObject({
    code: "validation_failed",
    message: "The query is not valid: limit: Send it once.",
    details: [{ field: "limit", code: "invalid_type", message: "limit: Send it once" }],
  });
  const both = await callRoute(listJobs, { ...path, query: { status: ["Failed", "Cancelled"] } });
  expect(both.status).toBe(200);
});
