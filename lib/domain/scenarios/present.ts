import type { Scenario } from "#lib/contract/scenarios";
import type { ScenarioRow } from "./select-scenarios.ts";

export function presentScenario({
  scenario,
  status,
  checkpointLabel,
  pinned,
  stalePins,
}: ScenarioRow): Scenario {
  const {
    inputKey: _,
    intervals: __,
    steps: ___,
    overrides: ____,
    knownUntil,
    completedAt,
    endDate,
    firstTimestamp,
    lastTimestamp,
    createdAt,
    ...fields
  } = scenario;
  return {
    ...fields,
    status,
    checkpointLabel,
    endDate: endDate?.toISOString() ?? null,
    firstTimestamp: firstTimestamp?.toISOString() ?? null,
    lastTimestamp: lastTimestamp?.toISOString() ?? null,
    knownUntil: knownUntil?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    dependentProjectCheckpoints: Object.fromEntries(
      pinned.flatMap(({ projectId, checkpointId }) =>
        checkpointId === null ? [] : [[projectId, checkpointId]],
      ),
    ),
    stalePins,
  };
}
