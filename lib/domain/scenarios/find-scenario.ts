import { z } from "zod";
import type { Queryable } from "#db/client";
import { instantOf } from "#lib/contract/instant";
import type { Context } from "#lib/platform/context/context";
import { requireNoIssues } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { isTerminal } from "#lib/platform/jobs/states";
import { chooseRuns, type RunChoice } from "./choose-runs.ts";
import { type ScenarioRow, scenarioPaging, selectScenarios } from "./select-scenarios.ts";

export type { ScenarioRow } from "./select-scenarios.ts";

/** Scenario as the address of a request names it, and the run to read. */
export type ScenarioRef = { projectId: string; scenarioId: string } & RunChoice;

/** Maximum length of a malformed ID in an error message. */
const shownMax = 100;

/**
 * @throws {DomainError} scenario_not_found for an unknown scenario, one of another project, or a deleted one; run_not_found and
 *   validation_failed for an invalid choice of a run
 */
export async function findScenario(
  db: Queryable,
  { projectId, scenarioId, field, run, asOf }: ScenarioRef & { field?: string },
): Promise<ScenarioRow> {
  const [row] = await findScenarios(db, { projectId, scenarioIds: [scenarioId], field, run, asOf });
  return row!;
}

/**
 * Finds several scenarios, in the order of the IDs. Treats a malformed ID like an unknown one.
 *
 * @param field the request field with the IDs; omitted for an ID in the path
 * @throws {DomainError} scenario_not_found with every ID that does not exist; run_not_found and validation_failed for an invalid
 *   choice of a run
 */
export async function findScenarios(
  db: Queryable,
  {
    projectId,
    scenarioIds,
    field,
    ...choice
  }: { projectId: string; scenarioIds: readonly string[]; field?: string | undefined } & RunChoice,
): Promise<ScenarioRow[]> {
  const ids = scenarioIds.map((id) => id.toLowerCase());
  const known = ids.filter((id) => z.guid().safeParse(id).success);
  const paging = scenarioPaging({ limit: known.length });
  const asOf = choice.asOf === undefined ? undefined : new Date(instantOf(choice.asOf));
  const select = (runIds?: readonly string[]) =>
    selectScenarios(db, { projectId, ids: known, runIds, asOf, paging });
  const byId = mapById(known.length === 0 ? [] : await select());
  const absent = ids.filter((id) => !byId.has(id));
  if (absent.length > 0) {
    const places = absent.map((id) => ({ field, id: id.slice(0, shownMax) }));
    throw standardError("scenario_not_found", ...(field === undefined ? [] : places));
  }
  const runIds = await chooseRuns(db, [...byId.values()], choice);
  const chosen = runIds === null ? byId : mapById(await select(runIds));
  return ids.map((id) => chosen.get(id)!);
}

const mapById = (rows: readonly ScenarioRow[]) => new Map(rows.map((row) => [row.scenario.id, row]));

/**
 * @param field the request field with the IDs; omitted for an ID in the path
 * @throws {DomainError} scenario_not_ready with every scenario without predictions
 */
export function requireReady(rows: readonly ScenarioRow[], field?: string): void {
  const waiting = rows.filter(({ status }) => status !== "Completed");
  const details = waiting.map(({ scenario: { title, jobId }, name, status }) => {
    const remedy = isTerminal(status)
      ? "Retry the job, or create a new scenario"
      : "Wait until the job is Completed";
    const message = `The scenario ${JSON.stringify(title)} has no predictions, because its job ${jobId} is ${status}. ${remedy}.`;
    return { ...(field === undefined ? {} : { field }), id: name, code: "scenario_not_ready", message };
  });
  requireNoIssues("scenario_not_ready", details);
}

/** @throws {DomainError} scenario_not_ready, and the errors of `findScenario` */
export async function findReadyScenario(ctx: Pick<Context, "db">, ids: ScenarioRef): Promise<ScenarioRow> {
  const row = await findScenario(ctx.db, ids);
  requireReady([row]);
  return row;
}
