import { z } from "zod";
import type { Database, Transaction } from "#db/client";
import { DomainError } from "#lib/errors/domain-error";
import { type ScenarioRow, scenarioPaging, selectScenarios } from "./queries.ts";

/** @throws {DomainError} scenario_not_found: unknown, another project's, or deleted */
export async function findScenario(
  db: Database | Transaction,
  { projectId, scenarioId }: { projectId: string; scenarioId: string },
): Promise<ScenarioRow> {
  const [row] = await findScenarios(db, { projectId, scenarioIds: [scenarioId] });
  return row!;
}

/**
 * Several scenarios, in the order asked for. An id that is no GUID is answered like an unknown one.
 *
 * @throws {DomainError} scenario_not_found, naming every one that is not there
 */
export async function findScenarios(
  db: Database | Transaction,
  { projectId, scenarioIds }: { projectId: string; scenarioIds: readonly string[] },
): Promise<ScenarioRow[]> {
  const ids = scenarioIds.map((id) => id.toLowerCase());
  const known = ids.filter((id) => z.guid().safeParse(id).success);
  const paging = scenarioPaging({ limit: known.length });
  const rows = known.length === 0 ? [] : await selectScenarios(db, { projectId, ids: known, paging });
  const byId = new Map(rows.map((row) => [row.scenario.id, row]));
  const absent = ids.filter((id) => !byId.has(id));
  if (absent.length > 0) {
    throw new DomainError("scenario_not_found", "There is no such scenario in this project.", {
      details: absent.length === 1 && ids.length === 1 ? [] : absent.map((id) => absentDetail(id)),
    });
  }
  return ids.map((id) => byId.get(id)!);
}

function absentDetail(id: string) {
  return { id, message: `There is no scenario ${id.slice(0, 100)} in this project.` };
}

/** @throws {DomainError} scenario_not_ready where a scenario's predictions do not exist (yet), naming each */
export function requireReady(rows: readonly ScenarioRow[]): void {
  const waiting = rows.filter(({ status }) => status !== "Completed");
  const [first] = waiting;
  if (first === undefined) return;
  throw new DomainError(
    "scenario_not_ready",
    `The predictions of "${first.scenario.title}" do not exist: its job ${first.scenario.jobId} is ${first.status}.`,
    {
      details: waiting.map(({ scenario, status }) => ({
        id: scenario.id,
        message: `"${scenario.title}": job ${scenario.jobId} is ${status}.`,
      })),
    },
  );
}
