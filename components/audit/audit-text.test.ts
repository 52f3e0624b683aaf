import { expect, it } from "vitest";
import { deedText } from "./audit-text.ts";

it("tells deeds in words, also those that it does not know", () => {
  expect(deedText({ action: "checkpoint.created" })).toBe("created checkpoint");
  expect(deedText({ action: "api-key.rotated" })).toBe("rotated API key");
  expect(deedText({ action: "project.dependencies-set" })).toBe("changed the dependencies of project");
  expect(deedText({ action: "dataset.rows-appended" })).toBe("rows appended dataset");
});
