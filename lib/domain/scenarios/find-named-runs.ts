import { z } from "zod";
import type { Queryable } from "#db/client";
import { runName, splitRunName } from "#lib/contract/run-names";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import type { RunChoice } from "./choose-runs.ts";
import { findScenarios, type ScenarioRow } from "./find-scenario.ts";
import { scenarioPaging, selectScenarios } from "./select-scenarios.ts";

// A comparison names what it lays side by side. `S` is the scenario S with the run that completed last, `S@R` its run R. So `S@R1,S@R2` are
// two runs of one scenario. The name, not the scenario's ID, identifies a row. An ID of a run alone would not do, because
// the first run has the ID of its scenario.

/**
 * Finds the scenarios and runs of a comparison, in the order of their names.
 *
 * @param field the request field with the names
 * @throws {DomainError} scenario_not_found and run_not_found; validation_failed if `run` or `asOf` is sent beside a named run
 */
export async function findNamedRuns(
  db: Queryable,
  {
    projectId,
    names,
    field,
    ...choice
  }: { projectId: string; names: readonly string[]; field: string } & RunChoice,
): Promise<ScenarioRow[]> {
  const wanted = names.map((name) => splitRunName(name.toLowerCase()));
  const scenarioIds = wanted.map(({ scenarioId }) => scenarioId);
  const rows = await findScenarios(db, { projectId, scenarioIds, field, ...choice });
  const runIds = wanted.flatMap(({ run }) => run ?? []);
  if (runIds.length === 0) return rows;
  if (choice.run !== undefined || choice.asOf !== undefined) throw namedTwiceError(field, choice);
  const ofRun = await selectRuns(db, { projectId, ids: scenarioIds, runIds });
  const found = wanted.map(({ scenarioId, run }, index) => {
    if (run === undefined) return rows[index]!;
    const row = ofRun.get(run);
    return row?.scenario.id === scenarioId ? { ...row, name: runName(scenarioId, run) } : null;
  });
  const absent = names.filter((_, index) => found[index] === null);
  if (absent.length > 0) throw standardError("run_not_found", ...absent.map((id) => ({ field, id })));
  return found.flatMap((row) => row ?? []);
}

/** Selects runs by their IDs. */
async function selectRuns(
  db: Queryable,
  { projectId, ids, runIds }: { projectId: string; ids: readonly string[]; runIds: readonly string[] },
): Promise<Map<string, ScenarioRow>> {
  const known = runIds.filter((id) => z.guid().safeParse(id).success);
  if (known.length === 0) return new Map();
  const paging = scenarioPaging({ limit: known.length });
  const rows = await selectScenarios(db, { projectId, ids, runIds: known, paging });
  return new Map(rows.map((row) => [row.scenario.runId, row]));
}

function namedTwiceError(named: string, choice: RunChoice): DomainError {
  const message = `Name runs in \`${named}\`, or send run or asOf, but not both.`;
  const sent = (["run", "asOf"] as const).filter((field) => choice[field] !== undefined);
  const details = [named, ...sent].map((field) => ({ field, code: "contradiction", message }));
  return new DomainError("validation_failed", message, { details });
}
