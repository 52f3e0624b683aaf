import type { CsvSource } from "#components/csv/send-csv.ts";
import type { CreateScenario, Scenario } from "#lib/contract/scenarios";

export type Way = "upload" | "generate" | "adjust";

/** "A new checkpoint of the current model", as the select writes it. */
export const newCheckpoint = "";

/** The fields that people fill in; the file comes beside them. */
export type ScenarioValues = {
  title: string;
  description: string;
  color: string;
  checkpointId: string;
  checkpointLabel: string;
  endDate: string;
  adjustments: NonNullable<CreateScenario["adjustments"]>;
  /** Dependent project → checkpoint, or `newCheckpoint`. */
  dependents: Record<string, string>;
};

/** What is sent, by the chosen way; fields of the other ways stay at home. */
export function scenarioBody(
  values: ScenarioValues,
  way: Way,
  source: (CsvSource & { fileName: string }) | null,
  base: Scenario | null,
): CreateScenario {
  const saveNew = values.checkpointId === newCheckpoint;
  const dependents = Object.entries(values.dependents);
  return {
    title: values.title,
    color: values.color,
    ...(values.description.trim() !== "" && { description: values.description }),
    ...(!saveNew && { checkpointId: values.checkpointId }),
    ...(saveNew && values.checkpointLabel.trim() !== "" && { checkpointLabel: values.checkpointLabel }),
    ...(way === "upload" && source),
    // The whole day: a bare date would end an hourly series at its midnight.
    ...(way === "generate" && values.endDate !== "" && { endDate: `${values.endDate}T23:59:59Z` }),
    ...(way === "adjust" && base && { baseScenarioId: base.id, adjustments: values.adjustments }),
    ...(dependents.length > 0 && {
      dependentProjectCheckpoints: Object.fromEntries(
        dependents.map(([projectId, id]) => [projectId, id === newCheckpoint ? null : id]),
      ),
    }),
  };
}
