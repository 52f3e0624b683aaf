import { describe, expect, it } from "vitest";
import type { Reference, ReferenceOperation } from "./reference.ts";
import { searchReference } from "./search-reference.ts";

const operation = (id: string, overrides: Partial<ReferenceOperation>): ReferenceOperation => ({
  id,
  method: "GET",
  path: `/api/v1/${id}`,
  summary: id,
  description: "",
  auth: "key",
  parameters: [],
  body: null,
  success: { status: "200", description: "", data: null, mediaTypes: [], headers: [], examples: [] },
  failures: [],
  ...overrides,
});
const reference: Reference = {
  sections: [
    {
      tag: "Jobs",
      description: "",
      operations: [operation("listJobs", {}), operation("retryJob", { method: "POST" })],
    },
    {
      tag: "Scenarios",
      description: "",
      operations: [
        operation("createScenario", {
          method: "POST",
          body: {
            mediaTypes: [],
            fields: [{ name: "endDate", type: "date", required: false, description: "" }],
            examples: [],
          },
        }),
      ],
    },
  ],
  objects: [],
  events: [],
  failure: null,
  glossary: [],
};
const found = (text: string) =>
  searchReference(reference, text).flatMap(({ operations }) => operations.map(({ id }) => id));

describe("searchReference", () => {
  it("finds operations by tag, method, path and body fields that contain every word", () => {
    expect(found("jobs")).toEqual(["listJobs", "retryJob"]);
    expect(found("post jobs")).toEqual(["retryJob"]);
    expect(found("ENDDATE")).toEqual(["createScenario"]);
    expect(found("nothing of the kind")).toEqual([]);
  });

  it("returns everything for an empty search", () => {
    expect(found(" ")).toHaveLength(3);
  });
});
