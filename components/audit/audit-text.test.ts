import { expect, it } from "vitest";
import { actionText } from "./audit-text.ts";

it("describes actions in words, including unknown ones", () => {
  expect(actionText({ action: "checkpoint.created" })).toBe("created checkpoint");
  expect(actionText({ action: "api-key.rotated" })).toBe("rotated API key");
  expect(actionText({ action: "project.dependencies-set" })).toBe("changed the dependencies of project");
  expect(actionText({ action: "dataset.rows-appended" })).toBe("rows appended dataset");
});
