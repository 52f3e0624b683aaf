import { readdirSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { limits } from "#lib/contract/limits";
import { openFileData } from "#lib/domain/datasets/file-source";
import { environment } from "#lib/platform/config/environment";
import { callRoute, createUser, type TestUser } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";

await createTestDatabase();
let user: TestUser;
beforeAll(async () => {
  user = await createUser();
});

const route = (operationId: string, declared: { bodyLimitBytes?: number; fileFields?: string[] }) =>
  defineRoute({
    operationId,
    tag: "Tests",
    summary: "Tells what it got",
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

type Told = { bytes: number; note: number; text: string };
const call = (handler: typeof plain, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  callRoute<Told>(handler, { as: user, body, headers });

/** A body of just that many bytes. */
const sized = (bytes: number) => `{"fileData":"${"x".repeat(bytes - '{"fileData":""}'.length)}"}`;
const fileOf = (bytes: number) => `{"fileData":"${Buffer.alloc(bytes, "1\n").toString("base64")}"}`;

describe("1 MB for plain JSON, more where a route says so", () => {
  test.each([
    [plain, limits.jsonBytes],
    [large, 3_000_000],
  ])("up to the limit and not a byte more", async (handler, limit) => {
    for (const bytes of [limit - 1, limit])
      expect((await call(handler, sized(bytes))).data.bytes).toBe(bytes - '{"fileData":""}'.length);
    for (const bytes of [limit + 1, 2 * limit]) {
      const { status, error } = await call(handler, sized(bytes));
      expect([status, error?.code]).toEqual([413, "payload_too_large"]);
      expect(error?.message).toContain(`${limit.toLocaleString("en")} bytes`);
    }
  });

  test("a body that says that it is larger is refused whatever it is", async () => {
    const { status } = await call(plain, "{}", { "content-length": "1000001" });
    expect(status).toBe(413);
  });

  test("larger bodies wait for each other and are answered all", async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => call(large, sized(2_000_000))));
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
  });

  test("faults without number are told, and are no failure of ours", async () => {
    const { status, error } = await call(large, `{"fileData":[${"[],".repeat(400_000)}[]]}`);
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
    const listed = route("list", {});
    Object.assign(listed.declaration, { body: z.strictObject({ fileData: z.array(z.number()) }) });
    const many = await call(listed, `{"fileData":[${"[],".repeat(300_000)}[]]}`);
    expect([many.status, many.error?.code]).toEqual([400, "validation_failed"]);
  });
});

describe("64 MiB of decoded CSV in fileData", () => {
  test.each([limits.csvBytes - 1, limits.csvBytes])("%i bytes are taken", async (bytes) => {
    expect((await call(files, fileOf(bytes))).data.bytes).toBe(bytes);
  });

  test.each([limits.csvBytes + 1, limits.csvBytes + 1_000_000])("%i bytes are not", async (bytes) => {
    const { status, error } = await call(files, fileOf(bytes));
    expect([status, error?.code]).toEqual([413, "payload_too_large"]);
    expect(error?.message).toContain("64 MiB");
  });

  test("what stands beside the file has the limit of plain JSON", async () => {
    const file = '"fileData":"MQ=="';
    const beside = (bytes: number) => call(files, `{"note":"${"x".repeat(bytes)}",${file}}`);
    expect((await beside(990_000)).data.note).toBe(990_000);
    expect((await beside(1_000_000)).error?.code).toBe("payload_too_large");
  });

  test("a file is the same however its text is escaped", async () => {
    const bytes = Buffer.from("?>?>~~~\n1,ü");
    const base64 = bytes.toString("base64").replaceAll("/", "\\/").replaceAll("M", "\\u004D");
    const { data } = await call(files, `{ "note": "a\\"b", "\\u0066ileData" : "${base64}" }`);
    expect(data).toEqual({ bytes: bytes.length, note: 3, text: bytes.toString() });
  });

  test.each([
    ["no base64", '{"fileData":"a-b"}', "validation_failed", /position 1 is no digit/],
    ["a broken line", '{"fileData":"YWJj\nYWJj"}', "validation_failed", /position 4 is no digit/],
    ["an empty file", '{"fileData":""}', "validation_failed", /fileData/],
    ["no text", '{"fileData":12}', "validation_failed", /fileData/],
    ["an unknown field beside it", '{"fileData":"MQ==","x":1}', "validation_failed", /x/],
    ["two files", '{"fileData":"MQ==","fileData":"MQ=="}', "malformed_json", /twice/],
    ["a file that never ends", '{"fileData":"MQ==', "malformed_json", /not valid JSON/],
    ["a name that a file could have", '{"fileData":"sent-file:1"}', "validation_failed", /not valid base64/],
  ])("%s is refused", async (_, body, code, message) => {
    const { status, error } = await call(files, body);
    expect([status, error?.code]).toEqual([400, code]);
    expect(JSON.stringify(error)).toMatch(message);
  });

  test("nothing is left of them", async () => {
    await call(files, fileOf(1_000_000));
    expect(readdirSync(path.join(environment().dataDir, "scratch"))).toEqual([]);
  });
});

test.each(["gzip", "br", "deflate, gzip", "x"])(
  "a body in Content-Encoding %s is not unpacked",
  async (coding) => {
    for (const handler of [plain, files]) {
      const { status, error } = await call(handler, "{}", { "content-encoding": coding });
      expect([status, error?.code]).toEqual([415, "unsupported_media_type"]);
    }
    expect((await call(plain, sized(100), { "content-encoding": "identity" })).status).toBe(200);
  },
);

test("who hangs up while sending is no outage of ours", async () => {
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
