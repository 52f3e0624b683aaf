import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { findActuals } from "#lib/domain/actuals/find-actuals";
import type { RunChoice } from "#lib/domain/scenarios/choose-runs";
import { findNamedRuns } from "#lib/domain/scenarios/find-named-runs";
import { requireReady, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
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
 * Finds the scenarios and runs to compare, in the order of `ids`, and the name of the baseline, by default the first one.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, scenario_not_ready, validation_failed
 */
export async function findCompared(
  ctx: Context,
  { projectId, ids, baselineId, run, asOf }: Compared,
): Promise<{ rows: ScenarioRow[]; baseline: string }> {
  const rows = await findNamedRuns(ctx.db, { projectId, names: ids, field: "ids", run, asOf });
  const baseline = (baselineId ?? rows[0]!.name).toLowerCase();
  checkNames(
    rows.map(({ name }) => name),
    baseline,
  );
  requireReady(rows, "ids");
  requireComparable(rows);
  return { rows, baseline };
}

function checkNames(names: readonly string[], baseline: string): void {
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const details: ErrorDetail[] = [...repeated].map((id) => ({
    field: "ids",
    id,
    code: "repeated",
    message: `\`ids\` lists the scenario ${id} more than once.`,
  }));
  if (!names.includes(baseline)) {
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
  const { row, panel } = shown.find(({ row }) => row.name === baseline)!;
  const first = Math.min(...shown.map(({ row }) => row.scenario.firstTimestamp?.getTime() ?? Number.NaN));
  return findActuals(ctx, row.scenario, first, panel);
}
