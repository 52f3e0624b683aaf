import { expect, test } from "vitest";
import { eventOfAction } from "./event-of-action.ts";

test("programs that follow a project learn of each change of its settings, data, default and names", () => {
  expect(eventOfAction).toMatchObject({
    "project.updated": "project-updated",
    "project.dependencies-set": "project-updated",
    "project.default-removed": "default-changed",
    "checkpoint.made-default": "default-changed",
    "checkpoint.updated": "checkpoint-updated",
    "dataset.replaced": "dataset-changed",
    "dataset.appended": "dataset-changed",
    "dataset.updated": "dataset-changed",
    "dataset.restored": "dataset-changed",
    "model.trained": "model-trained",
    "model.imported": "model-trained",
    "scenario.updated": "scenario-updated",
    "scenario.deleted": "scenario-deleted",
  });
});
