import { expect, test } from "@playwright/test";
import { limits } from "#lib/contract/limits";
import type { Model } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
import { csvOf, fileBody } from "./large-bodies.ts";
import { length, MiB, type OwnWeb, startOwnWeb, statusAndCode } from "./own-web.ts";
import { processorTicks, watch } from "./process-figures.ts";
import { repeat, sendRaw } from "./raw-client.ts";
import { findDemo } from "./service.ts";

// Request bodies at and above their limits, against a separate web process.

test.describe.configure({ timeout: 600_000 });

let own: OwnWeb;
/** A project with a model. */
let trained: string;

test.beforeAll(async () => {
  own = await startOwnWeb("Sizes");
  trained = findDemo(await own.ask<Project[]>("GET", "/projects")).id;
});

test.afterAll(() => own.stop());

const tooLarge = "413 payload_too_large";

/** Returns a JSON object padded with white space to an exact number of bytes. */
function* padded(value: object, bytes: number): Generator<Uint8Array> {
  const json = Buffer.from(JSON.stringify(value));
  yield json;
  yield* repeat(Buffer.alloc(1 << 16, " "), bytes - json.length);
}

test("accepts 1 MB of JSON, and returns 413 one byte above", async () => {
  const rename = (bytes: number, more = {}) => {
    const name = `Sizes ${bytes}`;
    return own.send(`/projects/${own.project}`, padded({ name }, bytes), { method: "PATCH", headers: more });
  };
  for (const bytes of [limits.jsonBytes - 1, limits.jsonBytes]) {
    expect((await rename(bytes)).data).toMatchObject({ name: `Sizes ${bytes}` });
    expect((await rename(bytes, length(bytes))).data).toMatchObject({ name: `Sizes ${bytes}` });
  }
  for (const bytes of [limits.jsonBytes + 1, 50 * limits.jsonBytes]) {
    expect(statusAndCode(await rename(bytes))).toBe(tooLarge);
    expect(statusAndCode(await rename(bytes, length(bytes)))).toBe(tooLarge);
  }
});

test("accepts 10 MB and 10,000 rows for predict", async () => {
  const { inputFeatures } = await own.ask<Model>("GET", `/projects/${trained}/models/current`);
  const input = (rows: number) =>
    Object.fromEntries(
      inputFeatures.map(({ name, type, median, categories }) => [
        name,
        Array.from({ length: rows }, (_, row) =>
          type === "timestamp"
            ? new Date(Date.UTC(2016, 0, 1 + row)).toISOString()
            : (median ?? categories?.[0]),
        ),
      ]),
    );
  const predict = (rows: number, bytes: number, more = {}) =>
    own.send(`/projects/${trained}/predict`, padded({ input: input(rows) }, bytes), { headers: more });
  for (const bytes of [limits.predictBytes - 1, limits.predictBytes])
    expect((await predict(3, bytes, length(bytes))).data).toMatchObject({ rowCount: 3 });
  expect((await predict(limits.predictRows, limits.predictBytes)).data).toMatchObject({ rowCount: 10_000 });
  for (const bytes of [limits.predictBytes + 1, 10 * limits.predictBytes]) {
    expect(statusAndCode(await predict(3, bytes))).toBe(tooLarge);
    expect(statusAndCode(await predict(3, bytes, length(bytes)))).toBe(tooLarge);
  }
  expect(statusAndCode(await predict(limits.predictRows + 1, 0))).toBe("400 input_invalid");
});

const put = (body: Buffer[], more = {}) =>
  own.send(`/projects/${own.project}/dataset`, body, { method: "PUT", headers: more });

test("accepts 64 MiB of decoded CSV in fileData", async () => {
  for (const [bytes, sendsLength] of [
    [limits.csvBytes - 1, true],
    [limits.csvBytes, false],
  ] as const) {
    const body = fileBody(csvOf(bytes));
    const { data } = await put(body, sendsLength ? length(body[0]!.length) : {});
    const rowCount = Math.ceil(bytes / 10_000);
    expect(data).toMatchObject({ rowCount, columns: [{}, { min: 1, max: rowCount, missing: 0 }] });
  }
  expect(statusAndCode(await put(fileBody(csvOf(limits.csvBytes + 1))))).toBe(tooLarge);
  expect(statusAndCode(await put(fileBody(csvOf(limits.csvBytes + 20 * MiB))))).toBe(tooLarge);
  expect(statusAndCode(await put([], length(1_000_000_000)))).toBe(tooLarge);
});

test("rejects endless streams of two gigabytes in little memory without affecting other clients", async () => {
  const block = Buffer.alloc(1 << 18, "a");
  const endless = (address: string, begin: string, method = "POST") =>
    sendRaw(own.web.url, {
      method,
      path: address,
      headers: own.headers,
      stubbornBytes: 200_000_000,
      body: (function* () {
        yield Buffer.from(begin);
        yield* repeat(block, 2_000_000_000);
      })(),
    });
  const api = `/api/v1/projects/${own.project}`;
  const { result, grownMb, answered } = await watch(own.web.pid, own.otherRequest, () =>
    Promise.all([
      endless(api, '{"name":"', "PATCH"),
      endless(`${api}/predict`, '{"input":{"'),
      endless(`${api}/scenarios`, '{"fileData":"'),
      endless(`${api}/scenarios`, '{"title":"'),
      endless("/api/auth/sign-in/email", '{"email":"'),
    ]),
  );
  expect(result.map(statusAndCode)).toEqual(Array(5).fill(tooLarge));
  for (const { sentBytes } of result) expect(sentBytes).toBeLessThan(200_000_000);
  expect(grownMb).toBeLessThan(300);
  expect(answered).toBeGreaterThan(10);
});

test("queues ten concurrent files of 64 MiB in bounded memory without affecting other clients", async () => {
  const body = fileBody(csvOf(limits.csvBytes));
  const { result, grownMb, answered } = await watch(own.web.pid, own.otherRequest, () =>
    Promise.all(Array.from({ length: 10 }, () => put(body))),
  );
  for (const answer of result) expect(["200", "503 service_unavailable"]).toContain(statusAndCode(answer));
  expect(result.map(statusAndCode)).toContain("200");
  expect(grownMb).toBeLessThan(1_500);
  expect(answered).toBeGreaterThan(10);
});

test("parses a large file outside the thread that serves requests", async () => {
  const rows = Array.from({ length: 400_000 }, (_, row) => `${row % 7},name ${row % 30},${row}.5,${row}\n`);
  const content = Buffer.from(`a,note,b,y\n${rows.join("")}`);
  const before = processorTicks(own.web.pid);
  expect(statusAndCode(await put(fileBody(content)))).toBe("200");
  const after = processorTicks(own.web.pid);
  expect(after.main - before.main).toBeLessThan((after.all - before.all) / 2);
});
