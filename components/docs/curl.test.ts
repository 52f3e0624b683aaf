import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { exampleCurl } from "./curl.ts";
import type { ReferenceOperation } from "./reference.ts";

const operation: ReferenceOperation = {
  id: "createCheckpoint",
  method: "POST",
  path: "/api/v1/projects/{projectId}/checkpoints",
  summary: "",
  description: "",
  auth: "key",
  parameters: [],
  body: {
    mediaTypes: ["application/json"],
    fields: [],
    examples: [{ name: "one", summary: "One", value: { label: "It's $5" } }],
  },
  success: { status: "202", description: "", data: null, mediaTypes: [], headers: [], examples: [] },
  failures: [],
};

/** Returns the arguments that a shell parses from the line. */
function argumentsOf(line: string): string[] {
  const script = line.replace(/^curl/, "printf '%s\\0'");
  const env = { ...process.env, API_KEY: "mps_1", PROJECT_ID: "p1" };
  return execFileSync("sh", ["-c", script], { encoding: "utf8", env }).split("\0").slice(0, -1);
}

describe("exampleCurl", () => {
  it("runs as a single command in a shell with an unchanged body", () => {
    expect(argumentsOf(exampleCurl(operation, "http://localhost:3000", {}))).toEqual([
      "-X",
      "POST",
      "http://localhost:3000/api/v1/projects/p1/checkpoints",
      "-H",
      "X-API-Key: mps_1",
      "-H",
      "Content-Type: application/json",
      "-d",
      '{"label":"It\'s $5"}',
    ]);
  });

  it("inserts the reader's IDs", () => {
    expect(exampleCurl(operation, "", { projectId: "abc" })).toContain('"/api/v1/projects/abc/checkpoints"');
  });

  it("uses a session if the operation rejects keys", () => {
    const line = exampleCurl({ ...operation, auth: "session" }, "http://localhost:3000", {});
    expect(line).toContain("-b cookies.txt");
    expect(line).toContain('-H "Origin: http://localhost:3000"');
    expect(line).not.toContain("X-API-Key");
  });
});
