import { beforeAll, describe, expect, it } from "vitest";
import { findViolations, invariants } from "#testing/invariants";
import { createTestDatabase } from "#testing/postgres";
import { breaches } from "#testing/violations";
import { createFacts } from "#testing/violations/facts";
import { beginnings, jobMoves, transitions } from "#testing/violations/transitions";

const { sql } = await createTestDatabase();

const facts = await createFacts();

const violations = Object.entries(breaches).flatMap(([invariant, list]) =>
  list.map(([rejectedBy, statement]) => ({ invariant, rejectedBy, statement })),
);
const rejected = violations.filter(({ rejectedBy }) => rejectedBy !== null);

/** Runs a statement and rolls it back. Returns the violated constraint or another error; null for a valid statement. */
async function attempt(statement: string): Promise<unknown> {
  const undo = new Error("rolled back");
  try {
    return await sql.begin(async (tx) => {
      await tx.unsafe(statement);
      await tx`set constraints all immediate`;
      throw undo;
    });
  } catch (error) {
    return error === undo ? null : ((error as { constraint_name?: string }).constraint_name ?? error);
  }
}

describe("the database rejects a violation of the rule", () => {
  it.each(rejected)("$invariant ($rejectedBy)", async ({ rejectedBy, statement }) => {
    expect(await attempt(statement(facts))).toBe(rejectedBy);
  });
});

describe("the database rejects a change of", () => {
  it.each(Object.entries(transitions))("%s", async (_, [rejectedBy, statement]) => {
    expect(await attempt(statement(facts))).toBe(rejectedBy);
  });

  it.each(jobMoves)(
    "a job's state from $from to $to, unless allowed: $allowed",
    async ({ allowed, statement }) => {
      expect(await attempt(statement(facts))).toBe(allowed ? null : "jobs_legal_transition");
    },
  );
});

describe("the database rejects the insertion of", () => {
  it.each(Object.entries(beginnings))("%s", async (_, [rejectedBy, statement]) => {
    expect(await attempt(statement(facts))).toBe(rejectedBy);
  });
});

describe("the queries of the invariants", () => {
  it("find no violations in a database in use", async () => {
    expect(await findViolations(sql)).toEqual([]);
  });

  it("all have a violation as a test case", () => {
    expect(Object.keys(breaches).sort()).toEqual(Object.keys(invariants).sort());
  });
});

describe("without constraints", () => {
  beforeAll(dropConstraints);

  it.each(violations)(
    "the query finds a violation of the rule: $invariant",
    async ({ invariant, statement }) => {
      const undo = new Error("rolled back");
      const finding = sql.begin(async (tx) => {
        await tx.unsafe(statement(facts));
        expect(await tx.unsafe(invariants[invariant]!)).not.toHaveLength(0);
        throw undo;
      });
      await expect(finding).rejects.toBe(undo);
    },
  );
});

/** Drops all constraints, unique indexes and triggers except primary keys, so that no statement is rejected. */
async function dropConstraints(): Promise<void> {
  const constraints = await sql`select conrelid::regclass as of, conname as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'u') order by contype = 'u'`;
  for (const { of, name } of constraints) await sql.unsafe(`alter table ${of} drop constraint "${name}"`);
  const indexes =
    await sql`select indexrelid::regclass as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and indisunique and not indisprimary`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  const tables = await sql`select distinct tgrelid::regclass as name from pg_trigger where not tgisinternal`;
  for (const { name } of tables) await sql.unsafe(`alter table ${name} disable trigger user`);
}
