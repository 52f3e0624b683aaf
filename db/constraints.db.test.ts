import { beforeAll, describe, expect, it } from "vitest";
import { breaches } from "#testing/breaches";
import { findViolations, invariants } from "#testing/invariants";
import { createTestDatabase } from "#testing/postgres";
import { createFacts, type Facts } from "#testing/violations/facts";
import { beginnings, jobMoves, transitions } from "#testing/violations/transitions";

const { sql } = await createTestDatabase();

let facts: Facts;
beforeAll(async () => {
  facts = await createFacts();
});

const ways = Object.entries(breaches).flatMap(([invariant, list]) =>
  list.map(([refusedBy, statement]) => ({ invariant, refusedBy, statement })),
);
const held = ways.filter(({ refusedBy }) => refusedBy !== null);

/** What PostgreSQL says to a statement; nothing stays of it. */
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

describe("past all code", () => {
  it.each(held)(
    "the database itself holds that $invariant ($refusedBy)",
    async ({ refusedBy, statement }) => {
      expect(await attempt(statement(facts))).toBe(refusedBy);
    },
  );
});

describe("what was, never becomes something else:", () => {
  it.each(Object.entries(transitions))("%s", async (_, [refusedBy, statement]) => {
    expect(await attempt(statement(facts))).toBe(refusedBy);
  });

  it.each(jobMoves)("a job may go from $from to $to: $allowed", async ({ allowed, statement }) => {
    expect(await attempt(statement(facts))).toBe(allowed ? null : "jobs_legal_transition");
  });
});

describe("nothing begins as", () => {
  it.each(Object.entries(beginnings))("%s", async (_, [refusedBy, statement]) => {
    expect(await attempt(statement(facts))).toBe(refusedBy);
  });
});

describe("the queries for what always holds", () => {
  it("find nothing in a database in use", async () => {
    expect(await findViolations(sql)).toEqual([]);
  });

  it("are all tried", () => {
    expect(Object.keys(breaches).sort()).toEqual(Object.keys(invariants).sort());
  });
});

describe("without constraints", () => {
  beforeAll(dropConstraints);

  it.each(ways)("it is found where it does not hold that $invariant", async ({ invariant, statement }) => {
    const undo = new Error("rolled back");
    const trying = sql.begin(async (tx) => {
      await tx.unsafe(statement(facts));
      expect(await tx.unsafe(invariants[invariant]!)).not.toHaveLength(0);
      throw undo;
    });
    await expect(trying).rejects.toBe(undo);
  });
});

/** Keys of rows stay: nothing is left then that refuses a statement of the table. */
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
