import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { findActuals } from "#lib/domain/actuals/find-actuals";
import type { RunChoice } from "#lib/domain/scenarios/choose-runs";
import { findScenarios, requireReady, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import type { ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import type { Context } from "#lib/platform/context/context";
import { type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";
import { requireComparable } from "./compared-rows.ts";

export type Compared = {
  projectId: string;
  ids: readonly string[];
  baselineId?: string | undefined;
} & RunChoice;

/**
 * Finds the scenarios to compare, in the order of `ids`, and the id of the baseline scenario, by default the first one.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, scenario_not_ready, validation_failed
 */
export async function findCompared(
  ctx: Context,
  { projectId, ids, baselineId, run, asOf }: Compared,
): Promise<{ rows: ScenarioRow[]; baseline: string }> {
  const rows = await findScenarios(ctx.db, { projectId, scenarioIds: ids, field: "ids", run, asOf });
  const scenarioIds = rows.map(({ scenario }) => scenario.id);
  const baseline = (baselineId ?? scenarioIds[0]!).toLowerCase();
  checkIds(scenarioIds, baseline);
  requireReady(rows, "ids");
  requireComparable(rows);
  return { rows, baseline };
}

function checkIds(ids: readonly string[], baseline: string): void {
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) < index));
  const details: ErrorDetail[] = [...repeated].map((id) => ({
    field: "ids",
    id,
    code: "repeated",
    message: `\`ids\` lists the scenario ${id} more than once.`,
  }));
  if (!ids.includes(baseline)) {
    const message = "`baselineId` must be one of `ids`.";
    details.push({ field: "baselineId", id: baseline, code: "not_in_ids", message });
  }
  requireNoIssues("validation_failed", details);
}

/** Finds the known values of the target for scenarios with times. Returns null if none is known. */
export function comparedActuals(
  ctx: Context,
  shown: readonly Pick<ShownScenario, "row" | "panel">[],
  baseline: string,
): Promise<KnownTarget | null> {
  const { row, panel } = shown.find(({ row }) => row.scenario.id === baseline)!;
  const first = Math.min(...shown.map(({ row }) => row.scenario.firstTimestamp?.getTime() ?? Number.NaN));
  return findActuals(ctx, row.scenario, first, panel);
}
