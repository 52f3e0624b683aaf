import { and, desc, eq, inArray, lte } from "drizzle-orm";
import { z } from "zod";
import type { Queryable } from "#db/client";
import { scenarioRuns } from "#db/schema/scenarios";
import { instantOf } from "#lib/contract/instant";
import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";

/** Run to read: by ID, or the one that had completed last at a time. Without both: the run that completed last. */
export type RunChoice = { run?: string | undefined; asOf?: string | undefined };

/**
 * Returns the ID of the run to read of each scenario; null if each shows the run that completed last. A `run` belongs to one of
 * the scenarios; the others show the run that completed last.
 *
 * @throws {DomainError} run_not_found, also for a run of another scenario; validation_failed if both are given
 */
export async function chooseRuns(
  db: Queryable,
  rows: readonly ScenarioRow[],
  { run, asOf }: RunChoice,
): Promise<string[] | null> {
  if (run !== undefined && asOf !== undefined) throw bothError();
  const scenarioIds = rows.map(({ scenario }) => scenario.id);
  if (run !== undefined) {
    const scenarioId = await scenarioOfRun(db, run.toLowerCase(), scenarioIds);
    return rows.map(({ scenario }) => (scenario.id === scenarioId ? run.toLowerCase() : scenario.runId));
  }
  if (asOf === undefined) return null;
  const found = await db
    .selectDistinctOn([scenarioRuns.scenarioId], { id: scenarioRuns.id })
    .from(scenarioRuns)
    .where(
      and(
        inArray(scenarioRuns.scenarioId, scenarioIds),
        lte(scenarioRuns.completedAt, new Date(instantOf(asOf))),
      ),
    )
    .orderBy(scenarioRuns.scenarioId, desc(scenarioRuns.completedAt));
  if (found.length < scenarioIds.length) throw standardError("run_not_found", { field: "asOf", value: asOf });
  return found.map(({ id }) => id);
}

async function scenarioOfRun(db: Queryable, run: string, scenarioIds: readonly string[]): Promise<string> {
  const [row] = z.guid().safeParse(run).success
    ? await db
        .select({ scenarioId: scenarioRuns.scenarioId })
        .from(scenarioRuns)
        .where(and(eq(scenarioRuns.id, run), inArray(scenarioRuns.scenarioId, [...scenarioIds])))
    : [];
  if (row === undefined) throw standardError("run_not_found", { field: "run", id: run });
  return row.scenarioId;
}

function bothError(): DomainError {
  const message = "Send only one of run and asOf.";
  const details = ["run", "asOf"].map((field) => ({ field, code: "contradiction", message }));
  return new DomainError("validation_failed", message, { details });
}
