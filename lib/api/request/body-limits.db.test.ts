import { readdirSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { limits } from "#lib/contract/limits";
import { openFileData } from "#lib/domain/datasets/file-source";
import { environment } from "#lib/platform/config/environment";
import { callRoute, createUser } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";

await createTestDatabase();
const user = await createUser();

const route = (operationId: string, declared: { bodyLimitBytes?: number; fileFields?: string[] }) =>
  defineRoute({
    operationId,
    tag: "Tests",
    summary: "Returns the received sizes",
    auth: "caller",
    ...declared,
    body: z.strictObject({ fileData: z.string().min(1), note: z.string().optional() }),
    async run(_, { body: { fileData, note = "" } }) {
      if (!declared.fileFields) return { bytes: fileData.length, note: note.length, text: "" };
      const { bytes, open } = openFileData(fileData);
      return { bytes, note: note.length, text: bytes > 1_000 ? "" : await text(await open()) };
    },
    response: z.object({ bytes: z.number(), note: z.number(), text: z.string() }),
  });

const plain = route("plain", {});
const large = route("large", { bodyLimitBytes: 3_000_000 });
const files = route("files", { fileFields: ["fileData"] });

type Received = { bytes: number; note: number; text: string };
const call = (handler: typeof plain, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  callRoute<Received>(handler, { as: user, body, headers });

/** Makes a body of exactly this size. */
const sized = (bytes: number) => `{"fileData":"${"x".repeat(bytes - '{"fileData":""}'.length)}"}`;
const fileOf = (bytes: number) => `{"fileData":"${Buffer.alloc(bytes, "1\n").toString("base64")}"}`;

describe("1 MB for plain JSON, more if the route permits it", () => {
  test.each([
    [plain, limits.jsonBytes],
    [large, 3_000_000],
  ])("accepts bodies up to the limit, and not a byte more", async (handler, limit) => {
    for (const bytes of [limit - 1, limit])
      expect((await call(handler, sized(bytes))).data.bytes).toBe(bytes - '{"fileData":""}'.length);
    for (const bytes of [limit + 1, 2 * limit]) {
      const { status, error } = await call(handler, sized(bytes));
      expect([status, error?.code]).toEqual([413, "payload_too_large"]);
      expect(error?.message).toContain(`${limit.toLocaleString("en")} bytes`);
    }
  });

  test("rejects a body with a declared size above the limit, for any content", async () => {
    const { status } = await call(plain, "{}", { "content-length": "1000001" });
    expect(status).toBe(413);
  });

  test("large bodies wait for a slot, and all receive a response", async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => call(large, sized(2_000_000))));
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
  });

  test.each(["1,", "{},", '"\\u005f",'])(
    "rejects more values than are validated at once: %s",
    async (value) => {
      const read = vi.spyOn(JSON, "parse");
      const count = limits.jsonSeparators + 1;
      const { status, error } = await call(large, `{"fileData":[${value.repeat(count)}1]}`);
      expect([status, error?.code]).toEqual([400, "validation_failed"]);
      expect(error?.message).toContain("at most 100,000 commas and colons");
      expect(read.mock.calls.filter(([text]) => text.length > count)).toEqual([]);
    },
  );

  test("counts all issues of a body, and lists the first 100", async () => {
    const listed = route("list", {});
    Object.assign(listed.declaration, { body: z.strictObject({ fileData: z.array(z.number()) }) });
    const { status, error } = await call(listed, `{"fileData":[${"[],".repeat(90_000)}1]}`);
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
    expect(error?.message).toContain("(and 89999 more, see details)");
    expect(error?.details).toHaveLength(limits.errorDetails + 1);
    expect(error?.details?.at(-1)).toEqual({ code: "more", message: "89900 more issues are not listed" });
  });
});

describe("64 MiB of decoded CSV in fileData", () => {
  test.each([limits.csvBytes - 1, limits.csvBytes])("accepts %i bytes", async (bytes) => {
    expect((await call(files, fileOf(bytes))).data.bytes).toBe(bytes);
  });

  test("rejects one byte more", async () => {
    const { status, error } = await call(files, fileOf(limits.csvBytes + 1));
    expect([status, error?.code]).toEqual([413, "payload_too_large"]);
    expect(error?.message).toContain("64 MiB");
  });

  test("limits the text outside the file like plain JSON", async () => {
    const file = '"fileData":"MQ=="';
    const beside = (bytes: number) => call(files, `{"note":"${"x".repeat(bytes)}",${file}}`);
    expect((await beside(990_000)).data.note).toBe(990_000);
    expect((await beside(1_000_000)).error?.code).toBe("payload_too_large");
  });

  test("reads the same file from any escaping of its text", async () => {
    const bytes = Buffer.from("?>?>~~~\n1,ü");
    const base64 = bytes.toString("base64").replaceAll("/", "\\/").replaceAll("M", "\\u004D");
    const { data } = await call(files, `{ "note": "a\\"b", "\\u0066ileData" : "${base64}" }`);
    expect(data).toEqual({ bytes: bytes.length, note: 3, text: bytes.toString() });
  });

  test.each([
    ["no base64", '{"fileData":"a-b"}', "validation_failed", /position 1/],
    ["a broken line", '{"fileData":"YWJj\nYWJj"}', "validation_failed", /position 4/],
    ["an empty file", '{"fileData":""}', "validation_failed", /fileData/],
    ["no text", '{"fileData":12}', "validation_failed", /fileData/],
    ["an unknown field next to the file", '{"fileData":"MQ==","x":1}', "validation_failed", /x/],
    [
      "two files",
      '{"fileData":"MQ==","fileData":"MQ=="}',
      "malformed_json",
      /twice.*"details":\[\{"field":"fileData"/,
    ],
    ["an unterminated file", '{"fileData":"MQ==', "malformed_json", /not valid JSON/],
    [
      "a field with the name of a placeholder",
      '{"fileData":"sent-file:1"}',
      "validation_failed",
      /not valid base64/,
    ],
  ])("%s is rejected", async (_, body, code, message) => {
    const { status, error } = await call(files, body);
    expect([status, error?.code]).toEqual([400, code]);
    expect(JSON.stringify(error)).toMatch(message);
  });

  test("no files are left", async () => {
    await call(files, fileOf(1_000_000));
    expect(readdirSync(path.join(environment().dataDir, "scratch"))).toEqual([]);
  });
});

test.each(["gzip", "br", "deflate, gzip", "x"])(
  "does not decompress a body with Content-Encoding %s",
  async (coding) => {
    for (const handler of [plain, files]) {
      const { status, error } = await call(handler, "{}", { "content-encoding": coding });
      expect([status, error?.code]).toEqual([415, "unsupported_media_type"]);
    }
    expect((await call(plain, sized(100), { "content-encoding": "identity" })).status).toBe(200);
  },
);

test("a client that disconnects while sending is not logged as an outage", async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    },
  });
  const headers = { ...user.headers, host: "service.test", "content-type": "application/json" };
  const request = new Request("http://service.test/", {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
  const response = await plain(request, { params: Promise.resolve({}) });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("ended before the whole body");
});
