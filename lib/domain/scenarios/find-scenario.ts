import { z } from "zod";
import type { Database, Transaction } from "#db/client";
import { isTerminal } from "#lib/jobs/states";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { type ScenarioRow, scenarioPaging, selectScenarios } from "./queries.ts";

/** How much of an id that is none is shown. */
const shownMax = 100;

/** @throws {DomainError} scenario_not_found: unknown, another project's, or deleted */
export async function findScenario(
  db: Database | Transaction,
  { projectId, scenarioId, field }: { projectId: string; scenarioId: string; field?: string },
): Promise<ScenarioRow> {
  const [row] = await findScenarios(db, { projectId, scenarioIds: [scenarioId], field });
  return row!;
}

/**
 * Several scenarios, in the order asked for. An id that is no GUID is answered like an unknown one.
 *
 * @param field where the request names them; left out where the path does
 * @throws {DomainError} scenario_not_found, naming every one that is not there
 */
export async function findScenarios(
  db: Database | Transaction,
  {
    projectId,
    scenarioIds,
    field,
  }: { projectId: string; scenarioIds: readonly string[]; field?: string | undefined },
): Promise<ScenarioRow[]> {
  const ids = scenarioIds.map((id) => id.toLowerCase());
  const known = ids.filter((id) => z.guid().safeParse(id).success);
  const paging = scenarioPaging({ limit: known.length });
  const rows = known.length === 0 ? [] : await selectScenarios(db, { projectId, ids: known, paging });
  const byId = new Map(rows.map((row) => [row.scenario.id, row]));
  const absent = ids.filter((id) => !byId.has(id));
  if (absent.length > 0) {
    const places = absent.map((id) => ({ field, id: id.slice(0, shownMax) }));
    throw standardError("scenario_not_found", ...(field === undefined ? [] : places));
  }
  return ids.map((id) => byId.get(id)!);
}

/**
 * @param field where the request names them; left out where the path does
 * @throws {DomainError} scenario_not_ready where a scenario's predictions do not exist (yet), naming each
 */
export function requireReady(rows: readonly ScenarioRow[], field?: string): void {
  const waiting = rows.filter(({ status }) => status !== "Completed");
  if (waiting.length === 0) return;
  const details = waiting.map(({ scenario: { id, title, jobId }, status }) => {
    const remedy = isTerminal(status)
      ? "retry the job, or create the scenario anew"
      : "wait until it is Completed";
    const message = `The predictions of ${JSON.stringify(title)} do not exist: its job ${jobId} is ${status}; ${remedy}.`;
    return { ...(field === undefined ? {} : { field }), id, code: "scenario_not_ready", message };
  });
  throw new DomainError("scenario_not_ready", details[0]!.message, { details });
}
