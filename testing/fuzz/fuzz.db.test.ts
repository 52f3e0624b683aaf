import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import { createProject } from "#testing/api";
import { checkInvariants } from "#testing/invariants";
import { createTestDatabase } from "#testing/postgres";
import { validCalls } from "#testing/valid-calls";
import { play, type Step, sequences } from "./play.ts";
import { plainRequest } from "./requests.ts";
import type { Sent } from "./send.ts";
import { settings } from "./settings.ts";
import { Tally } from "./tally.ts";
import { targetsOf } from "./targets.ts";
import { Tenancy } from "./tenancy.ts";
import { createStaff, createWorld, type Staff } from "./world.ts";

const { sql } = await createTestDatabase();
const document = JSON.parse(inject("openApi"));
const operations = await targetsOf(document);
const targets = new Map(operations.map((target) => [target.operation.operationId, target]));
const tally = new Tally(targets.keys());
const tenancy = new Tenancy(sql);

let staff: Staff;
beforeAll(async () => {
  const made = await createStaff();
  staff = made.staff;
  tally.count("createFirstAdmin", made.setup.status);
});

/** What was done in the sequence that failed last, which is the shortest one. */
let failed: { journal: string[]; error: unknown } | null = null;
let stopAt = Number.POSITIVE_INFINITY;

const property = fc.asyncProperty(sequences(operations, document.components.schemas), async (steps) => {
  // It has failed, and no time is left to find a shorter sequence that does.
  if (Date.now() > stopAt) return;
  const journal: string[] = [];
  try {
    const world = await createWorld(staff);
    tenancy.link(world.own.projectId, world.upstream.projectId);
    await play(steps, { world, targets, tally, tenancy }, journal);
    await checkInvariants(sql);
  } catch (error) {
    stopAt = Math.min(stopAt, Date.now() + settings.shrinkSeconds * 1_000);
    failed = { journal, error };
    throw error;
  }
  settings.report(tally);
});

/** First, so that every operation is known to work: one example of each. */
const plain: Step[] = operations
  .filter(({ name }) => name in validCalls)
  .map(({ operation }) => ({ plans: [plainRequest(operation)], jobs: 0, meanwhile: false }));

test("requests of every kind: no error of the service, every answer as documented, nothing told to others, nothing broken", {
  timeout: settings.timeoutMs,
}, async () => {
  const { seed, path, sequences: numRuns } = settings;
  const { counterexamplePath } = await fc.check(property, {
    seed,
    numRuns,
    examples: [[plain]],
    ...(path === null ? {} : { path }),
  });
  if (failed !== null) throw explain(failed, `--seed ${seed} --path ${counterexamplePath}`);
  expect(await deadlocks()).toBe(0);
  if (path === null) expect(tally.neverDone(), tally.table()).toEqual([]);
  settings.finish(tally);
});

test("a key may be told what it named itself, also at the end of a long body, and nothing else of others", async () => {
  const [own, other] = await Promise.all([createProject(), createProject()]);
  const told = (body: object) =>
    tenancy.check([
      { caller: { projectId: own.id }, text: "curl …", body, answer: { text: other.id } },
    ] as Sent[]);
  await told({ fileData: "a".repeat(3_000), checkpointId: other.id.toUpperCase() });
  await expect(told({})).rejects.toThrow(other.id);
});

function explain({ journal, error }: NonNullable<typeof failed>, options: string): Error {
  const told = `${(error as Error).message}\n\nAgain: npm run fuzz -- ${options}\n\nAll of it:\n${journal.join("\n")}`;
  return new Error(told);
}

async function deadlocks(): Promise<number> {
  const [row] = await sql`select deadlocks::int from pg_stat_database where datname = current_database()`;
  return row!.deadlocks;
}
