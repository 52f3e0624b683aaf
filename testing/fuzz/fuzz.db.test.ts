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
  tally.count("signIn", made.signIn.status);
});

/** Journal and error of the sequence that failed last. fast-check shrinks, so this is the shortest one. */
let failed: { journal: string[]; error: unknown } | null = null;
let stopAt = Number.POSITIVE_INFINITY;

const property = fc.asyncProperty(sequences(operations, document.components.schemas), async (steps) => {
  // The property has failed, and the time to find a shorter failing sequence is over.
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

/** A valid request of nearly every operation. The run starts with them, so that each operation succeeds once. */
const examples: Step[] = operations
  .filter(({ name }) => name in validCalls || name.startsWith("GET "))
  .map(({ operation }) => plainRequest(operation))
  .concat(
    {
      ...plainRequest(targets.get("callMcp")!.operation),
      caller: "own key",
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    },
    { ...plainRequest(targets.get("signOut")!.operation), caller: "nobody" },
  )
  .map((plan) => ({ plans: [plan], jobs: 0, meanwhile: false }));

test("random requests cause no server error, undocumented answer, foreign id or broken invariant", {
  // Grows with the requested number of sequences.
  timeout: settings.timeoutMs,
}, async () => {
  const { seed, path, sequences: numRuns } = settings;
  const { counterexamplePath } = await fc.check(property, {
    seed,
    numRuns,
    examples: [[examples]],
    ...(path === null ? {} : { path }),
  });
  if (failed !== null) throw explain(failed, `--seed ${seed} --path ${counterexamplePath}`);
  expect(await deadlockCount()).toBe(0);
  // Only with an identity provider, as in `company-sign-in.db.test.ts`, does a company account sign in, and only with mail
  // does a member reset a password.
  const unreached = ["requestPasswordReset", "resetPassword", "startCompanySignIn", "finishCompanySignIn"];
  if (path === null) expect(tally.neverSucceeded(), tally.table()).toEqual(unreached);
  settings.finish(tally);
});

test("the tenancy check allows a foreign id in an answer only if the request contained it", async () => {
  const [own, other] = await Promise.all([createProject(), createProject()]);
  const checkAnswerTo = (body: object) =>
    tenancy.check([
      { caller: { projectId: own.id }, text: "curl …", body, answer: { text: other.id } },
    ] as Sent[]);
  // The id follows the part of a long body that the journal keeps.
  await checkAnswerTo({ fileData: "a".repeat(3_000), checkpointId: other.id.toUpperCase() });
  await expect(checkAnswerTo({})).rejects.toThrow(other.id);
});

function explain({ journal, error }: NonNullable<typeof failed>, options: string): Error {
  const message = (error as Error).message;
  const command = `npm run fuzz -- ${options}`;
  return new Error(`${message}\n\nRepeat with: ${command}\n\nAll requests and jobs:\n${journal.join("\n")}`);
}

async function deadlockCount(): Promise<number> {
  const [row] = await sql`select deadlocks::int from pg_stat_database where datname = current_database()`;
  return row!.deadlocks;
}
