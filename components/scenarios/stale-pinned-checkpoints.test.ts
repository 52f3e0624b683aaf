import { describe, expect, it } from "vitest";
import { palette } from "#components/ui/palette.ts";
import { limits } from "#lib/contract/limits";
import { CreateScenario, type Scenario } from "#lib/contract/scenarios";
import { rerunBody } from "./stale-pinned-checkpoints.tsx";

const scenario = {
  id: "11111111-1111-4111-8111-111111111111",
  title: "Base",
  checkpointId: "22222222-2222-4222-8222-222222222222",
  checkpointLabel: "March",
  color: "#3498db",
  tags: [],
  dependentProjectCheckpoints: {},
  stalePins: [],
} as unknown as Scenario;

describe("rerun on newer checkpoints", () => {
  it("keeps the input and the main checkpoint, and replaces only stale pinned checkpoints", () => {
    const pin = { projectId: "p", checkpointId: "old", label: "A" };
    const stale = { ...pin, defaultCheckpointId: "new", defaultLabel: "B" };
    const pinned = { ...scenario, dependentProjectCheckpoints: { p: "old", q: "kept" }, stalePins: [stale] };
    expect(
      rerunBody(pinned, { suffix: "newer inputs", checkpointId: pinned.checkpointId, others: [] }),
    ).toMatchObject({
      baseScenarioId: scenario.id,
      checkpointId: scenario.checkpointId,
      dependentProjectCheckpoints: { p: "new", q: "kept" },
    });
  });

  it("shortens a title that would be too long with the label of the checkpoint", () => {
    const titled = { ...scenario, title: "t".repeat(limits.scenarioTitleMax) };
    const body = rerunBody(titled, { suffix: "l".repeat(limits.labelMax), checkpointId: null, others: [] });
    expect(CreateScenario.safeParse(body).error).toBeUndefined();
    expect(body.title).toHaveLength(limits.scenarioTitleMax);
    const emoji = { ...scenario, title: `t${"🌡".repeat(limits.scenarioTitleMax / 2)}` };
    expect(
      rerunBody(emoji, { suffix: "newer inputs", checkpointId: null, others: [] }).title.isWellFormed(),
    ).toBe(true);
  });

  it("gives runs of one scenario their own titles and colours, and names only the last checkpoint", () => {
    const others = [{ title: scenario.title, color: palette[0]! }];
    for (const label of ["March", "April", "April"]) {
      const from = { ...scenario, title: others.at(-1)!.title, checkpointLabel: "March" };
      const { title, color } = rerunBody(from, { suffix: label, checkpointId: "c", others });
      others.push({ title, color: color! });
    }
    expect(others.map(({ title }) => title)).toEqual([
      "Base",
      "Base, March",
      "Base, April",
      "Base, April, April",
    ]);
    expect(new Set(others.map(({ color }) => color)).size).toBe(4);
  });
});
