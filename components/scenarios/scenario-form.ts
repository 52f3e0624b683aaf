import type { CsvSource } from "#components/csv/send-csv.ts";
import { endOfDay } from "#components/time/local-day.ts";
import type { CreateScenario, Scenario } from "#lib/contract/scenarios";

export type Way = "upload" | "generate" | "adjust";

/** Select value for a new checkpoint of the current model. */
export const newCheckpoint = "";

/** Fields of the form; the file is separate. */
export type ScenarioValues = {
  title: string;
  description: string;
  color: string;
  checkpointId: string;
  checkpointLabel: string;
  endDate: string;
  adjustments: NonNullable<CreateScenario["adjustments"]>;
  /** Upstream project → checkpoint, or `newCheckpoint`. */
  upstreams: Record<string, string>;
};

/**
 * Builds the request for the chosen input source, without the fields of other sources.
 *
 * @param timezone zone of the end date
 */
export function scenarioBody(
  values: ScenarioValues,
  way: Way,
  source: (CsvSource & { fileName: string }) | null,
  base: Scenario | null,
  timezone: string | null,
): CreateScenario {
  const saveNew = values.checkpointId === newCheckpoint;
  const upstreams = Object.entries(values.upstreams);
  return {
    title: values.title,
    color: values.color,
    ...(values.description.trim() !== "" && { description: values.description }),
    ...(!saveNew && { checkpointId: values.checkpointId }),
    ...(saveNew && values.checkpointLabel.trim() !== "" && { checkpointLabel: values.checkpointLabel }),
    ...(way === "upload" && source),
    ...(way === "generate" &&
      values.endDate !== "" && {
        endDate: endOfDay(values.endDate, timezone),
      }),
    ...(way === "adjust" && base && { baseScenarioId: base.id, adjustments: values.adjustments }),
    ...(upstreams.length > 0 && {
      dependentProjectCheckpoints: Object.fromEntries(
        upstreams.map(([projectId, id]) => [projectId, id === newCheckpoint ? null : id]),
      ),
    }),
  };
}

/** Returns why a copy would equal its scenario; null if a step or another checkpoint changes it. */
export function unchangedReason(
  { title, checkpointId, dependentProjectCheckpoints: pinned }: Scenario,
  values: Pick<ScenarioValues, "adjustments" | "checkpointId" | "upstreams">,
): string | null {
  const differs =
    values.adjustments.length > 0 ||
    values.checkpointId !== checkpointId ||
    Object.entries(values.upstreams).some(([projectId, id]) => pinned[projectId] !== id);
  return differs ? null : `Without a step, the copy equals “${title}”.`;
}

/** Returns the issues in the rows of the file; the form shows the others as its own. */
export function fileIssues<T extends { row?: number | null | undefined; column?: string | null | undefined }>(
  details: readonly T[],
): T[] {
  return details.filter(({ row, column }) => (row ?? column ?? null) !== null);
}
