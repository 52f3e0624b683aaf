import { expect, test } from "vitest";
import { refuseAddress } from "./refuse-address.ts";

const projectId = "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f";

test.each([
  ["DELETE", "/api/v1/projects", "HEAD, GET, POST, OPTIONS"],
  ["GET", `/api/v1/projects/${projectId}/predict`, "POST, OPTIONS"],
  ["PUT", `/api/v1/projects/${projectId}`, "HEAD, GET, PATCH, DELETE, OPTIONS"],
  ["POST", `/api/v1/jobs/project/${projectId}`, "HEAD, GET, OPTIONS"],
  ["PATCH", "/api/auth/sign-in/email", "HEAD, GET, POST, OPTIONS"],
  ["PROPFIND", "/api/v1/projects/", "HEAD, GET, POST, OPTIONS"],
])("%s %s is refused with the methods that are taken", async (method, path, allow) => {
  const response = refuseAddress(method, path);
  expect(response?.status).toBe(405);
  expect(response?.headers.get("allow")).toBe(allow);
  const body = await response?.json();
  expect(body).toEqual({
    success: false,
    error: {
      code: "method_not_allowed",
      message: expect.stringContaining(`does not take ${method}`),
      requestId: response?.headers.get("x-request-id"),
    },
  });
});

test.each([
  ["GET", "/api/v1/projects"],
  ["HEAD", "/api/v1/projects"],
  ["OPTIONS", "/api/v1/projects"],
  ["POST", `/api/v1/projects/${projectId}/predict`],
  ["DELETE", "/api/v1/nothing/here"],
  ["POST", "/projects"],
  ["POST", "/api/auth/sign-in/email"],
])("%s %s is left to its handler", (method, path) => {
  expect(refuseAddress(method, path)).toBeNull();
});

test("a path that cannot be decoded is an address with nothing at it", async () => {
  const response = refuseAddress("GET", "/api/v1/projects/%E0%A4%A");
  expect(response?.status).toBe(404);
});
