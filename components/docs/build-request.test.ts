import { describe, expect, it } from "vitest";
import { buildRequest, type Draft, missingParameters } from "./build-request.ts";
import type { ReferenceOperation, ReferenceParameter } from "./reference.ts";

const parameter = (name: string, place: string, over: Partial<ReferenceParameter> = {}) => ({
  name,
  place,
  type: "string",
  required: place === "path",
  description: "",
  example: "x",
  ...over,
});
const operation: ReferenceOperation = {
  id: "listJobs",
  method: "GET",
  path: "/api/v1/jobs/project/{projectId}",
  auth: "key",
  summary: "",
  description: "",
  body: null,
  failures: [],
  parameters: [
    parameter("projectId", "path"),
    parameter("limit", "query"),
    parameter("status", "query", { type: "array of string" }),
    parameter("If-Match", "header"),
  ],
  success: { status: "200", description: "", data: null, mediaTypes: [], headers: [], examples: [] },
};
const draft: Draft = { key: "", parameters: {}, body: "", file: null, accept: "application/json" };
const body = (mediaTypes: string[]) => ({ mediaTypes, fields: [], examples: [] });
const headersOf = (init: RequestInit) => Object.fromEntries(init.headers as Headers);

describe("buildRequest", () => {
  it("places each parameter, repeats list parameters, and omits empty ones", () => {
    const parameters = { projectId: "a/b", limit: " ", status: "Pending, Running", "If-Match": '"x"' };
    const { url, init } = buildRequest(operation, { ...draft, parameters });
    expect(url).toBe("/api/v1/jobs/project/a%2Fb?status=Pending&status=Running");
    expect(headersOf(init)).toEqual({ accept: "application/json", "if-match": '"x"' });
    expect(init).toMatchObject({ method: "GET", credentials: "same-origin" });
    expect(init.body).toBeUndefined();
  });

  it.each([".", " .. "])("rejects %j in the path, which would address the parent", (projectId) => {
    expect(() => buildRequest(operation, { ...draft, parameters: { projectId } })).toThrow(RangeError);
    const parameters = { projectId: "..a", "If-Match": ".." };
    expect(buildRequest(operation, { ...draft, parameters }).url).toBe("/api/v1/jobs/project/..a");
  });

  it("sends a key without the session", () => {
    const { init } = buildRequest(operation, { ...draft, key: " mps_1 " });
    expect(headersOf(init)).toMatchObject({ "x-api-key": "mps_1" });
    expect(init.credentials).toBe("omit");
  });

  it("sends JSON as typed, valid or not, and a file unchanged", () => {
    const json = buildRequest(
      { ...operation, method: "POST", body: body(["text/plain", "application/json"]) },
      { ...draft, body: "{" },
    );
    expect(json.init.body).toBe("{");
    expect(headersOf(json.init)).toMatchObject({ "content-type": "application/json" });
    const file = new File(["a,b\n"], "a.csv");
    const upload = buildRequest(
      { ...operation, method: "POST", body: body(["text/csv"]) },
      { ...draft, file },
    );
    expect(upload.init.body).toBe(file);
    expect(headersOf(upload.init)).toMatchObject({ "content-type": "text/csv" });
  });
});

it("missingParameters returns the empty path parameters", () => {
  expect(missingParameters(operation, draft)).toEqual(["projectId"]);
  expect(missingParameters(operation, { ...draft, parameters: { projectId: "p" } })).toEqual([]);
});
