import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { sessionCookie } from "./service.ts";

/** Sends raw bytes and reads the response until the connection closes. */
async function send(request: string): Promise<{ status: number; headers: Headers; body: string }> {
  const { hostname, port } = new URL(process.env.E2E_BASE_URL!);
  const socket = connect(Number(port), hostname);
  socket.write(request, "latin1");
  const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(first.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

const host = "Host: localhost\r\nConnection: close\r\n";
const ask = (line: string, headers = "") => send(`${line} HTTP/1.1\r\n${host}${headers}\r\n`);

/** Returns the status and error code of an enveloped error, and its allowed methods if listed. */
async function rejection(request: ReturnType<typeof send>): Promise<string> {
  const { status, headers, body } = await request;
  expect(headers.get("content-type")).toBe("application/json");
  const envelope = JSON.parse(/\{.*\}/s.exec(body)?.[0] ?? "null");
  expect(envelope).toEqual({
    success: false,
    error: {
      code: expect.any(String),
      message: expect.any(String),
      requestId: headers.get("x-request-id"),
    },
  });
  const allow = headers.get("allow");
  return `${status} ${envelope.error.code}${allow === null ? "" : ` (${allow})`}`;
}

for (const path of [
  ...["/api", "/api/", "/api/v1", "/api/v2/x", "/api/v1/nothing", "/api/v1/projects/", "/api/metrics/"],
  ...["//api/v1/projects", "/api//v1/projects", "/api\\v1\\projects", "/%61pi/v1", "/api/v1/projects/%2e%2e"],
  ...["/api/v1/projects/%", "/api/v1/projects/%ff", "/api/auth", "/api/auth/ok", "/api/auth/sign-up/email"],
]) {
  test(`returns 404 for every method at ${path}`, async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"]) {
      expect(await rejection(ask(`${method} ${path}`)), method).toBe("404 not_found");
    }
    expect((await ask(`HEAD ${path}`)).status).toBe(404);
  });
}

for (const [line, expected] of [
  ["OPTIONS *", "404 not_found"],
  ["TRACE /api/v1/projects", "405 method_not_allowed (HEAD, GET, POST, OPTIONS)"],
  ["PUT /api/v1/projects", "405 method_not_allowed (HEAD, GET, POST, OPTIONS)"],
  ["GET /api/auth/sign-in/email", "405 method_not_allowed (POST, OPTIONS)"],
  ["DELETE /api/health/live", "405 method_not_allowed (HEAD, GET, OPTIONS)"],
  ["GET http://localhost/api/v1/projects", "401 api_key_missing"],
  ["GET http://localhost/api/v9", "404 not_found"],
  [`GET /api/v1/projects/${"a".repeat(8_000)}`, "401 api_key_missing"],
  [`GET /api/v1/projects/${"a".repeat(20_000)}`, "400 validation_failed"],
  [`GET /api/v1/projects?x=${"a".repeat(20_000)}`, "400 validation_failed"],
  ["GET /api/v1/projects?%ff=%&x=%00", "401 api_key_missing"],
  ["FOO /api/v1/projects", "400 validation_failed"],
] as const) {
  test(`${line.slice(0, 40)} returns ${expected}`, async () => {
    expect(await rejection(ask(line))).toBe(expected);
  });
}

for (const [name, headers, expected] of [
  ["a key with invalid text bytes", "X-API-Key: \xff\xfe\x80\r\n", "401 api_key_invalid"],
  ["a key with a NUL", "X-API-Key: a\0b\r\n", "400 validation_failed"],
  [
    "a cookie with invalid text bytes",
    "Cookie: better-auth.session_token=\xff%ff%00\r\n",
    "401 session_required",
  ],
  ["a second Host", "Host: a b/[\r\n", "400 validation_failed"],
  ["an unknown expectation", "Expect: nonsense\r\n", "401 api_key_missing"],
  ["an upgrade to HTTP/2", "Connection: Upgrade, close\r\nUpgrade: h2c\r\n", "401 api_key_missing"],
  ["an upgrade to WebSocket", "Connection: Upgrade, close\r\nUpgrade: websocket\r\n", "401 api_key_missing"],
  ["headers that are too long", `X: ${"a".repeat(20_000)}\r\n`, "400 validation_failed"],
  ["a non-numeric length", "Content-Length: abc\r\n", "400 validation_failed"],
  ["an unknown transfer encoding", "Transfer-Encoding: nonsense\r\n", "400 validation_failed"],
] as const) {
  test(`${name} returns ${expected}`, async () => {
    expect(await rejection(ask("GET /api/v1/projects", headers))).toBe(expected);
  });
}

test("finds no page under a path that cannot be decoded", async () => {
  const cookie = `Cookie: ${await sessionCookie(process.env.E2E_BASE_URL!)}\r\n`;
  const undecodable = ["%", "%ff", "%e0%a4", "%c0%80", "a%2", "%zz"];
  const under = ["/", "/projects/", "/docs/", "/_next/static/", "/projects/x/scenarios/"];
  for (const path of under.flatMap((start) => undecodable.map((end) => `${start}${end}`))) {
    for (const method of ["GET", "HEAD"]) {
      expect((await ask(`${method} ${path}`, cookie)).status, `${method} ${path}`).toBe(404);
    }
  }
  expect((await ask("GET /login?next=%ff", cookie)).status).toBeLessThan(400);
});

test("rejects invalid HTTP and invalid chunks in the envelope", async () => {
  expect(await rejection(send("nonsense\r\n\r\n"))).toBe("400 validation_failed");
  const chunked = `${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
  expect(await rejection(send(`POST /api/v1/setup HTTP/1.1\r\n${chunked}\r\nzz\r\n{}\r\n`))).toBe(
    "400 validation_failed",
  );
});

test("OPTIONS returns the allowed methods", async () => {
  const { status, headers, body } = await ask("OPTIONS /api/v1/projects");
  expect([status, headers.get("allow"), body]).toEqual([204, "HEAD, GET, POST, OPTIONS", ""]);
});

test("shows wrong credentials and too many attempts on the sign-in page", async ({ page }) => {
  const email = "nobody@example.com";
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Email or password is wrong.")).toBeVisible();
  // Repeats from the page's address until the limit is reached.
  await page.evaluate(
    async (body) => {
      const headers = { "content-type": "application/json" };
      let status = 0;
      while (status !== 429)
        ({ status } = await fetch("/api/auth/sign-in/email", { method: "POST", headers, body }));
    },
    JSON.stringify({ email, password: "wrong" }),
  );
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(/Too many attempts. Try again in \d+ minutes?\./)).toBeVisible();
});
