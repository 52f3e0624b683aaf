import { expect, test } from "vitest";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { ProjectSummary } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { adjustedCopy, proposedCheckpoint, replay } from "./scenario-start.ts";

const adjustments: Scenario["adjustments"] = [{ feature: "temp", operation: "add", value: 2 }];
const origin = {
  id: "o",
  title: "Base",
  status: "Completed",
  checkpointId: "1",
  adjustments: [],
} as unknown as Scenario;
const made = { ...origin, id: "m", title: "Warm", baseScenarioId: "o", adjustments } as Scenario;
const checkpoints = ["1", "2", "3"].map((id) => ({ id, isDefault: id === "3" })) as Checkpoint[];

test("replays a recipe on its base scenario, or on the result if the base no longer exists", () => {
  expect(replay(made, origin)).toMatchObject({ base: { id: "o" }, adjustments });
  for (const gone of [null, { ...origin, status: "Failed" } as Scenario]) {
    expect(replay(made, gone)).toMatchObject({ base: { id: "m" }, adjustments: [] });
  }
});

test("keeps the checkpoint of a copy, and proposes another one for a replay, preferably the default", () => {
  const project = { currentModel: null, defaultCheckpointId: "3" };
  expect(proposedCheckpoint(adjustedCopy(made), checkpoints, project)).toBe("1");
  expect(proposedCheckpoint(replay(made, origin), checkpoints, project)).toBe("3");
  const ofDefault = replay({ ...made, checkpointId: "3" } as Scenario, origin);
  expect(proposedCheckpoint(ofDefault, checkpoints, project)).toBe("1");
  const only = { currentModel: null, defaultCheckpointId: "1" };
  expect(proposedCheckpoint(replay(made, origin), checkpoints.slice(0, 1), only)).toBe("");
  expect(proposedCheckpoint(null, checkpoints, project)).toBe("3");
});

test("proposes the current model for new scenarios and replays after a training, but not for copies", () => {
  const trainedAt = "2026-11-02T00:00:00Z";
  const project = { currentModel: { id: "new", trainedAt }, defaultCheckpointId: "3" } as ProjectSummary;
  const older = checkpoints.map((one) => ({ ...one, modelId: "old", createdAt: "2026-11-01T00:00:00Z" }));
  expect(proposedCheckpoint(null, older, project)).toBe("");
  expect(proposedCheckpoint(replay(made, origin), older, project)).toBe("");
  expect(proposedCheckpoint(adjustedCopy(made), older, project)).toBe("1");
});
