import { expect, test } from "vitest";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { ProjectSummary } from "#lib/contract/projects";
import { checkpointOptions, currentModelOf, newerModelHint } from "./current-model.ts";

const project = (id: string, trainedAt: string) =>
  ({ currentModel: { id, trainedAt } }) as Pick<ProjectSummary, "currentModel">;
const checkpoint = (id: string, modelId: string | null, createdAt: string, isDefault = false) =>
  ({ id, label: `Label ${id}`, modelId, createdAt, isDefault }) as Checkpoint;
const before = checkpoint("a", "old", "2026-11-01T00:00:00Z", true);

test("offers the current model after a training, and names the older default checkpoint", () => {
  const current = currentModelOf(project("new", "2026-11-02T00:00:00Z"), [before]);
  expect(current).toEqual({ value: "", olderDefault: before });
  expect(newerModelHint(current, "")).toContain("newer than the default checkpoint “Label a”");
  expect(newerModelHint(current, "a")).toContain("newer model");
  expect(checkpointOptions([before], current).map(([id]) => id)).toEqual(["a", ""]);
});

test("offers the checkpoint that already holds the current model instead of saving another", () => {
  const after = checkpoint("b", "new", "2026-11-03T00:00:00Z");
  const current = currentModelOf(project("new", "2026-11-02T00:00:00Z"), [before, after]);
  expect(current).toEqual({ value: "b", olderDefault: before });
  expect(checkpointOptions([before, after], current)).toEqual([
    ["a", "Label a (default)"],
    ["b", "Label b (current model)"],
  ]);
});

test("gives no hint if the default holds the current model, or was saved after the training", () => {
  const current = currentModelOf(project("old", "2026-10-31T00:00:00Z"), [before]);
  expect(current).toEqual({ value: "a", olderDefault: null });
  expect(newerModelHint(current, "a")).toBeUndefined();
  const chosen = currentModelOf(project("new", "2026-10-31T00:00:00Z"), [before]);
  expect(chosen).toEqual({ value: "", olderDefault: null });
  expect(currentModelOf({ currentModel: null }, [before])).toBeNull();
});
