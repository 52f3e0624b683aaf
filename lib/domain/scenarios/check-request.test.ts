import { expect, test } from "vitest";
import type { OpenModel } from "#lib/domain/models/open-model";
import { uploadIssues } from "./check-request.ts";

test("accepts an upload whose dates look like text because most are marked as missing", () => {
  const issuesFor = (missing: string[]) => {
    const inputFeatures = [{ name: "last", type: "timestamp", role: "input" }];
    const model = { inputFeatures, inputFormat: { missing }, state: {} } as unknown as OpenModel;
    const columns = [{ name: "last", type: "category" as const }];
    return uploadIssues(model, { header: ["last"], columns, issues: [] }).issues.map(({ code }) => code);
  };
  expect(issuesFor(["never"])).toEqual([]);
  expect(issuesFor([])).toEqual(["not_a_timestamp"]);
});
