import type { Context } from "#lib/context/context";
import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { findActuals } from "#lib/domain/actuals/find-actuals";
import { findScenarios, requireReady } from "#lib/domain/scenarios/find-scenario";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";
import { requireComparable } from "./compared-rows.ts";

export type Compared = { projectId: string; ids: readonly string[]; baselineId?: string | undefined };

/**
 * Scenarios that can be compared, in the order asked for, and the id of the one that the others are held against: the first
 * unless told otherwise.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function findCompared(
  ctx: Context,
  { projectId, ids, baselineId }: Compared,
): Promise<{ rows: ScenarioRow[]; baseline: string }> {
  const rows = await findScenarios(ctx.db, { projectId, scenarioIds: ids, field: "ids" });
  const scenarioIds = rows.map(({ scenario }) => scenario.id);
  const baseline = (baselineId ?? scenarioIds[0]!).toLowerCase();
  checkIds(scenarioIds, baseline);
  requireReady(rows, "ids");
  requireComparable(rows);
  return { rows, baseline };
}

function checkIds(ids: readonly string[], baseline: string): void {
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) < index));
  const details: ErrorDetail[] = [...twice].map((id) => ({
    ...{ field: "ids", id, code: "repeated", message: `\`ids\` names the scenario ${id} more than once.` },
  }));
  if (!ids.includes(baseline)) {
    const message = "`baselineId` must be one of `ids`.";
    details.push({ field: "baselineId", id: baseline, code: "not_in_ids", message });
  }
  if (details[0] !== undefined) throw new DomainError("validation_failed", details[0].message, { details });
}

/** What is known of what scenarios with times predict; null where nothing is. */
export function comparedActuals(
  ctx: Context,
  rows: readonly ScenarioRow[],
  baseline: string,
): Promise<KnownTarget | null> {
  const { scenario } = rows.find((row) => row.scenario.id === baseline)!;
  const first = Math.min(...rows.map((row) => row.scenario.firstTimestamp?.getTime() ?? Number.NaN));
  return findActuals(ctx, scenario, first);
}
