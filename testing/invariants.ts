import type { Sql } from "postgres";
import { checkpointInvariants } from "./invariants/checkpoints.ts";
import { jobInvariants } from "./invariants/jobs.ts";
import { projectInvariants } from "./invariants/projects.ts";
import { scenarioInvariants } from "./invariants/scenarios.ts";

/** Invariants of the database, each with an SQL query for the rows that violate it. */
export const invariants: Readonly<Record<string, string>> = {
  ...projectInvariants,
  ...checkpointInvariants,
  ...scenarioInvariants,
  ...jobInvariants,
};

type Violation = { invariant: string; rows: Record<string, unknown>[] };

/** One statement for all invariants. It is prepared: planning takes as long as execution. */
const statement = Object.entries(invariants)
  .map(
    ([invariant, query]) =>
      `select '${invariant.replaceAll("'", "''")}' as invariant, to_jsonb(violation) as violation from (${query}) violation`,
  )
  .join("\nunion all\n");

/** Returns the violated invariants. Reads a single snapshot, so the database may be in use. */
export async function findViolations(sql: Sql): Promise<Violation[]> {
  const found = await sql.unsafe<{ invariant: string; violation: Record<string, unknown> }[]>(statement, [], {
    prepare: true,
  });
  return [...Map.groupBy(found, ({ invariant }) => invariant)].map(([invariant, rows]) => ({
    invariant,
    rows: rows.map(({ violation }) => violation),
  }));
}

/**
 * Checks the invariants. They hold at any moment, also while requests and jobs run.
 *
 * @param sql any connection to the database
 * @throws {Error} naming every violated invariant, with up to five rows of each
 */
export async function checkInvariants(sql: Sql): Promise<void> {
  const violations = await findViolations(sql);
  if (violations.length === 0) return;
  const lines = violations.map(
    ({ invariant, rows }) =>
      `- violated: ${invariant}\n  ${rows.length} rows: ${JSON.stringify(rows.slice(0, 5))}`,
  );
  throw new Error(`The database is inconsistent:\n${lines.join("\n")}`);
}
