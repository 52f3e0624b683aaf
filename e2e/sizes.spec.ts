import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { limits } from "#lib/contract/limits";
import type { Model } from "#lib/contract/models";
import { processorTicks, residentMb, watch } from "./process-figures.ts";
import { type RawAnswer, read, repeat, sendRaw } from "./raw-client.ts";
import { admin, startWeb, type TestService } from "./service.ts";

// Bodies at and beyond their limits, and callers who mean harm, against a web process of its own.

const MiB = 1 << 20;
let web: TestService;
let headers: Record<string, string>;
/** A project without a model, whose dataset these tests replace. */
let project: string;
/** One of the demo's, with a model. */
let trained: string;

test.beforeAll(async () => {
  web = await startWeb(process.env.E2E_DATA_DIR!);
  const sent = { "Content-Type": "application/json", Origin: web.url };
  const signIn = await fetch(`${web.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: sent,
    body: JSON.stringify(admin),
  });
  const cookie = signIn.headers.getSetCookie().map((one) => one.split(";")[0]);
  headers = { ...sent, Cookie: cookie.join("; ") };
  const demo = await ask<{ id: string; currentModel: unknown }[]>("GET", "/projects");
  trained = demo.find(({ currentModel }) => currentModel !== null)!.id;
  project = (await ask<{ id: string }>("POST", "/projects", { name: "Sizes" })).id;
});

test.afterAll(async () => {
  await ask("DELETE", `/projects/${project}`);
  await web.stop();
});

async function ask<T>(method: string, address: string, body?: unknown): Promise<T> {
  const response = await fetch(`${web.url}/api/v1${address}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T };
  expect(response.ok, `${method} ${address}: ${JSON.stringify(answer)}`).toBe(true);
  return answer.data;
}

type Sending = { method?: string; headers?: Record<string, string>; stubbornBytes?: number };

const send = (address: string, body: Iterable<Uint8Array>, { headers: more, ...sending }: Sending = {}) =>
  sendRaw(web.url, { path: `/api/v1${address}`, headers: { ...headers, ...more }, body, ...sending });

const length = (bytes: number) => ({ "Content-Length": String(bytes) });
const said = ({ status, code }: Pick<RawAnswer, "status" | "code">) =>
  `${status}${code === undefined ? "" : ` ${code}`}`;
const tooLarge = "413 payload_too_large";

/** A JSON object with so much white space behind it that it has just that many bytes. */
function* padded(value: object, bytes: number): Generator<Uint8Array> {
  const json = Buffer.from(JSON.stringify(value));
  yield json;
  yield* repeat(Buffer.alloc(1 << 16, " "), bytes - json.length);
}

test("1 MB for plain JSON: complete up to the limit, 413 a byte beyond it", async () => {
  const rename = (bytes: number, more = {}) => {
    const name = `Sizes ${bytes}`;
    return send(`/projects/${project}`, padded({ name }, bytes), { method: "PATCH", headers: more });
  };
  for (const bytes of [limits.jsonBytes - 1, limits.jsonBytes]) {
    expect((await rename(bytes)).data).toMatchObject({ name: `Sizes ${bytes}` });
    expect((await rename(bytes, length(bytes))).data).toMatchObject({ name: `Sizes ${bytes}` });
  }
  for (const bytes of [limits.jsonBytes + 1, 50 * limits.jsonBytes]) {
    expect(said(await rename(bytes))).toBe(tooLarge);
    expect(said(await rename(bytes, length(bytes)))).toBe(tooLarge);
  }
});

test("10 MB and 10,000 rows for predict", async () => {
  const { inputFeatures } = await ask<Model>("GET", `/projects/${trained}/models/current`);
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
    send(`/projects/${trained}/predict`, padded({ input: input(rows) }, bytes), { headers: more });
  for (const bytes of [limits.predictBytes - 1, limits.predictBytes])
    expect((await predict(3, bytes, length(bytes))).data).toMatchObject({ rowCount: 3 });
  expect((await predict(limits.predictRows, limits.predictBytes)).data).toMatchObject({ rowCount: 10_000 });
  for (const bytes of [limits.predictBytes + 1, 10 * limits.predictBytes]) {
    expect(said(await predict(3, bytes))).toBe(tooLarge);
    expect(said(await predict(3, bytes, length(bytes)))).toBe(tooLarge);
  }
  expect(said(await predict(limits.predictRows + 1, 0))).toBe("400 input_invalid");
});

/** A CSV of just that many bytes, in few rows; `y` is the row's number. */
function csvOf(bytes: number): Buffer {
  const content = Buffer.alloc(bytes, "x");
  content.write("note,y\n");
  const rows = Math.ceil(bytes / 10_000);
  for (let row = 1; row <= rows; row++) {
    const end = Math.floor(((bytes - 7) * row) / rows) + 7;
    content.write(`,${String(row).padStart(6, "0")}\n`, end - 8);
  }
  return content;
}

const fileBody = (content: Buffer) => [
  Buffer.from(`{"target":"y","exclude":["note"],"fileData":"${content.toString("base64")}"}`),
];

const put = (body: Buffer[], more = {}) =>
  send(`/projects/${project}/dataset`, body, { method: "PUT", headers: more });

test("64 MiB of decoded CSV in fileData", async () => {
  for (const [bytes, isLengthTold] of [
    [limits.csvBytes - 1, true],
    [limits.csvBytes, false],
  ] as const) {
    const body = fileBody(csvOf(bytes));
    const { data } = await put(body, isLengthTold ? length(body[0]!.length) : {});
    const rowCount = Math.ceil(bytes / 10_000);
    expect(data).toMatchObject({ rowCount, columns: [{}, { min: 1, max: rowCount, missing: 0 }] });
  }
  expect(said(await put(fileBody(csvOf(limits.csvBytes + 1))))).toBe(tooLarge);
  expect(said(await put(fileBody(csvOf(limits.csvBytes + 20 * MiB))))).toBe(tooLarge);
  expect(said(await put([], length(1_000_000_000)))).toBe(tooLarge);
});

test("an upload of 2 GiB is stored whole in little memory, and not a byte more is taken", async () => {
  test.setTimeout(600_000);
  const type = { "Content-Type": "text/csv" };
  const rows = Buffer.from("2024-01-01,1.5,abc\n".repeat(50_000));
  const { result, grownMb, answered } = await watch(web.pid, others, () =>
    send(`/projects/${project}/uploads`, repeat(rows, limits.uploadBytes), {
      headers: { ...type, ...length(limits.uploadBytes) },
    }),
  );
  expect(result.data).toMatchObject({ bytes: limits.uploadBytes });
  expect(grownMb).toBeLessThan(300);
  expect(answered).toBeGreaterThan(10);
  const beyond = { ...type, ...length(limits.uploadBytes + 1) };
  expect(said(await send(`/projects/${project}/uploads`, [], { headers: beyond }))).toBe(tooLarge);
});

/** What other callers do all the time. */
async function others(): Promise<void> {
  expect(await ask<{ id: string }>("GET", `/projects/${project}`)).toMatchObject({ id: project });
  await delay(5);
}

test("callers that stream two gigabytes without end are refused in little memory, and others go on", async () => {
  test.setTimeout(600_000);
  const block = Buffer.alloc(1 << 18, "a");
  const endless = (address: string, begin: string, method = "POST") =>
    sendRaw(web.url, {
      method,
      path: address,
      headers,
      stubbornBytes: 200_000_000,
      body: (function* () {
        yield Buffer.from(begin);
        yield* repeat(block, 2_000_000_000);
      })(),
    });
  const api = `/api/v1/projects/${project}`;
  const { result, grownMb, answered } = await watch(web.pid, others, () =>
    Promise.all([
      endless(api, '{"name":"', "PATCH"),
      endless(`${api}/predict`, '{"input":{"'),
      endless(`${api}/scenarios`, '{"fileData":"'),
      endless(`${api}/scenarios`, '{"title":"'),
      endless("/api/auth/sign-in/email", '{"email":"'),
    ]),
  );
  expect(result.map(said)).toEqual(Array(5).fill(tooLarge));
  for (const { sentBytes } of result) expect(sentBytes).toBeLessThan(200_000_000);
  expect(grownMb).toBeLessThan(300);
  expect(answered).toBeGreaterThan(10);
});

test("ten files of 64 MiB at once take turns, in bounded memory, and others go on", async () => {
  test.setTimeout(600_000);
  const body = fileBody(csvOf(limits.csvBytes));
  const { result, grownMb, answered } = await watch(web.pid, others, () =>
    Promise.all(Array.from({ length: 10 }, () => put(body))),
  );
  for (const answer of result) expect(["200", "503 service_unavailable"]).toContain(said(answer));
  expect(result.map(said)).toContain("200");
  expect(grownMb).toBeLessThan(1_500);
  expect(answered).toBeGreaterThan(10);
});

test("a large file is read beside the thread that answers, not in it", async () => {
  test.setTimeout(600_000);
  const rows = Array.from({ length: 400_000 }, (_, row) => `${row % 7},name ${row % 30},${row}.5,${row}\n`);
  const content = Buffer.from(`a,note,b,y\n${rows.join("")}`);
  const before = processorTicks(web.pid);
  expect(said(await put(fileBody(content)))).toBe("200");
  const after = processorTicks(web.pid);
  expect(after.main - before.main).toBeLessThan((after.all - before.all) / 2);
});

test("an upload that is cut off leaves nothing", async () => {
  const temporary = () => readdirSync(path.join(process.env.E2E_DATA_DIR!, "artifacts", ".tmp"));
  const { hostname, port, host } = new URL(web.url);
  const socket = connect(Number(port), hostname);
  const head = { ...headers, Host: host, "Content-Type": "text/csv", ...length(50 * MiB) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/v1/projects/${project}/uploads HTTP/1.1\r\n${lines.join("")}\r\n`);
  socket.write(Buffer.alloc(5 * MiB, "a,b\n"));
  await expect.poll(temporary).toHaveLength(1);
  socket.destroy();
  await expect.poll(temporary).toEqual([]);
});

/** Bytes on a connection of their own, and all that comes back until it is closed. */
async function exchange(bytes: string, { hangUp = false } = {}): Promise<string> {
  const { hostname, port } = new URL(web.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  if (hangUp) socket.end();
  return text(socket);
}

const head = (method: string, address: string, more: Record<string, string>) => {
  const all = { Host: new URL(web.url).host, ...headers, ...more };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /api/v1${address} HTTP/1.1\r\n${lines.join("")}\r\n`;
};

test("what follows a refused body, or a length that is too short, is never read as a request", async () => {
  const rename = { name: "Smuggled" };
  const smuggled = `${head("PATCH", `/projects/${project}`, length(JSON.stringify(rename).length))}${JSON.stringify(rename)}`;
  const refused = await exchange(
    `${head("PATCH", `/projects/${project}`, length(2_000_000))}${smuggled.repeat(50)}`,
  );
  expect(refused.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
  expect(refused).toContain("Connection: close");
  const short = await exchange(`${head("PATCH", `/projects/${project}`, length(2))}{}{"name":"Rest"}`);
  expect(short).not.toContain("HTTP/1.1 2");
  expect((await ask<{ name: string }>("GET", `/projects/${project}`)).name).not.toMatch(/Smuggled|Rest/);
});

test("a length that is too long, and a caller that hangs up, change nothing", async () => {
  const cut = await exchange(`${head("PATCH", `/projects/${project}`, length(100))}{"name":"Cut"}`, {
    hangUp: true,
  });
  expect(said(read(cut))).toBe("400 validation_failed");
  const { hostname, port } = new URL(web.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${head("PATCH", `/projects/${project}`, length(100))}{"name":"Cut"}`, () => socket.destroy());
  await text(socket).catch(() => {});
  expect((await ask<{ name: string }>("GET", `/projects/${project}`)).name).not.toBe("Cut");
});

test("with Expect: 100-continue a refused caller is not asked for its body", async () => {
  const expecting = { Expect: "100-continue", ...length(2_000_000) };
  const large = await exchange(head("PATCH", `/projects/${project}`, expecting));
  expect(large).toMatch(/^HTTP\/1\.1 413 /);
  const nobody = { ...expecting, Cookie: "", "X-API-Key": "mps_wrong" };
  expect(await exchange(head("PATCH", `/projects/${project}`, nobody))).toMatch(/^HTTP\/1\.1 401 /);
  const body = '{"name":"Sizes"}';
  const taken = { Expect: "100-continue", ...length(body.length), Connection: "close" };
  const { hostname, port } = new URL(web.url);
  const socket = connect(Number(port), hostname);
  socket.write(head("PATCH", `/projects/${project}`, taken));
  const [word] = (await once(socket, "data")) as [Buffer];
  expect(word.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write(body);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test("a compressed body is not unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, " "));
  const before = residentMb(web.pid);
  for (const address of ["", "/predict", "/scenarios", "/uploads"]) {
    const type = address === "/uploads" ? { "Content-Type": "text/csv" } : {};
    const answer = await send(`/projects/${project}${address}`, [bomb], {
      method: address === "" ? "PATCH" : "POST",
      headers: { ...type, "Content-Encoding": "gzip", ...length(bomb.length) },
    });
    expect(said(answer)).toBe("415 unsupported_media_type");
  }
  expect(residentMb(web.pid) - before).toBeLessThan(100);
});
