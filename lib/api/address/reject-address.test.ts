import { METHODS } from "node:http";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { methods } from "#lib/api/route-declaration";
import { rejectAddress } from "./reject-address.ts";
import { routeMethods } from "./route-methods.ts";

vi.hoisted(() => {
  process.env.LOG_LEVEL = "fatal";
});

const projectId = "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f";

/** Full response. The request ID is that of the header. */
async function rejection(method: string, path: string) {
  const answer = rejectAddress(method, path)?.toResponse();
  if (answer === undefined) return null;
  const { status, headers } = answer;
  expect(headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
  const requestId = headers.get("x-request-id");
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  const text = (await answer.text()).replace(`${requestId}`, "…");
  return { status, allow: headers.get("allow"), body: text === "" ? null : JSON.parse(text) };
}

const notFound = (message: string) => ({
  status: 404,
  allow: null,
  body: { success: false, error: { code: "not_found", message, requestId: "…" } },
});
const nothing = notFound("This path does not exist. Check the path against the API reference.");
const slash = notFound("This path does not exist. Remove the trailing slash.");

test.each([
  ["DELETE", "/api/v1/projects", "GET or POST", "HEAD, GET, POST, OPTIONS"],
  ["GET", `/api/v1/projects/${projectId}/predict`, "POST", "POST, OPTIONS"],
  ["HEAD", `/api/v1/projects/${projectId}/predict`, "POST", "POST, OPTIONS"],
  ["PUT", `/api/v1/projects/${projectId}`, "GET or PATCH or DELETE", "HEAD, GET, PATCH, DELETE, OPTIONS"],
  ["POST", `/api/v1/jobs/project/${projectId}`, "GET", "HEAD, GET, OPTIONS"],
  ["PATCH", "/api/auth/sign-in/email", "POST", "POST, OPTIONS"],
  ["POST", "/api/auth/get-session", "GET", "HEAD, GET, OPTIONS"],
  ["PROPFIND", "/api/v1/projects", "GET or POST", "HEAD, GET, POST, OPTIONS"],
  ["TRACE", "/api/v1/openapi.json", "GET", "HEAD, GET, OPTIONS"],
  ["DELETE", "/api/health/live", "GET", "HEAD, GET, OPTIONS"],
  ["POST", "/api/metrics", "GET", "HEAD, GET, OPTIONS"],
])("rejects %s %s with the permitted methods", async (method, path, use, allow) => {
  const message = `This path does not accept ${method}. Use ${use}.`;
  expect(await rejection(method, path)).toEqual({
    status: 405,
    allow,
    body: { success: false, error: { code: "method_not_allowed", message, requestId: "…" } },
  });
});

test.each([
  ["/api/v1/projects", "HEAD, GET, POST, OPTIONS"],
  [`/api/v1/projects/${projectId}/predict`, "POST, OPTIONS"],
])("OPTIONS %s returns the permitted methods", async (path, allow) => {
  expect(await rejection("OPTIONS", path)).toEqual({ status: 204, allow, body: null });
});

test.each([
  "/api",
  "/api/",
  "/api/v1",
  "/api/v2/projects",
  "/api/v1/nothing",
  "/api/auth",
  "/api/auth/sign-up/email",
  "/api/auth/callback/github",
  "/api/v1/projects//checkpoints",
  "/api//v1/projects",
  "//api/v1/projects",
  "/api\\v1\\projects",
  "/api/v1/projects/%2e%2e",
  "/api/v1/projects/..",
  "/api/v1/projects/.",
  "/api/v1/projects/a\\b",
  "/api/v1/projects/%E0%A4%A",
  "/api/v1/projects/%",
  "/api/%",
  "/%61%50i/v1",
  "*",
])("%s does not exist for any method", async (path) => {
  for (const method of METHODS) expect(await rejection(method, path)).toEqual(nothing);
});

test.each(["/api/v1/projects/", "/api/v1/projects//", `/api/v1/projects/${projectId}/predict/`])(
  "%s does not exist because of its trailing slash",
  async (path) => {
    for (const method of METHODS) expect(await rejection(method, path)).toEqual(slash);
  },
);

test("passes every method of every route to its handler and rejects all others", async () => {
  for (const [address, taken] of Object.entries(routeMethods)) {
    const path = address.replace(/\{\w+\}/g, projectId);
    for (const method of methods) {
      expect((await rejection(method, path))?.status ?? null, `${method} ${path}`).toBe(
        taken.includes(method) ? null : 405,
      );
    }
    expect((await rejection("HEAD", path))?.status ?? null).toBe(taken.includes("GET") ? null : 405);
  }
});

test.each(["/", "/projects", "/apiary", "/docs", "/_next/static/x", "/projects/api"])(
  "%s is outside the API",
  (path) => {
    for (const method of METHODS) expect(rejectAddress(method, path)).toBeNull();
  },
);

test("every path under /api either matches a route or returns the envelope", async () => {
  const segment = fc.oneof(
    fc.constantFrom("v1", "projects", "jobs", "auth", projectId, "", ".", "..", "%", "%00", "\\", ";x=1"),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(segment, { maxLength: 6 }),
      fc.constantFrom(...METHODS),
      async (segments, method) => {
        const answer = await rejection(method, ["/api", ...segments].join("/"));
        expect([undefined, 204, 404, 405]).toContain(answer?.status);
      },
    ),
  );
});
