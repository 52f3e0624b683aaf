import { expect, test } from "vitest";
import type { Checkpoint } from "#lib/contract/checkpoints";
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
  expect(proposedCheckpoint(adjustedCopy(made), checkpoints, "3")).toBe("1");
  expect(proposedCheckpoint(replay(made, origin), checkpoints, "3")).toBe("3");
  const ofDefault = replay({ ...made, checkpointId: "3" } as Scenario, origin);
  expect(proposedCheckpoint(ofDefault, checkpoints, "3")).toBe("1");
  expect(proposedCheckpoint(replay(made, origin), checkpoints.slice(0, 1), "1")).toBe("");
  expect(proposedCheckpoint(null, checkpoints, "3")).toBe("3");
});
