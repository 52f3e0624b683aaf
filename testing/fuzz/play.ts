import { sql } from "drizzle-orm";
import fc from "fast-check";
import { database } from "#lib/platform/database/process-database";
import { runJobHere } from "#testing/run-jobs";
import { type Plan, requestsOf } from "./requests.ts";
import { type Sent, send } from "./send.ts";
import type { Tally } from "./tally.ts";
import type { Target } from "./targets.ts";
import type { Tenancy } from "./tenancy.ts";
import type { Schemas } from "./valid-values.ts";
import type { World } from "./world.ts";

export type Step = {
  /** Concurrent requests. "again" repeats those of the previous step. */
  plans: Plan[] | "again";
  /** Maximum number of waiting jobs to run. */
  jobs: number;
  /** Runs the jobs during the requests instead of after them. */
  meanwhile: boolean;
};

/** Generates sequences of requests to the operations. */
export function sequences(targets: readonly Target[], schemas: Schemas): fc.Arbitrary<Step[]> {
  const plan = fc.oneof(...targets.map(({ operation }) => requestsOf(operation, schemas)));
  const plans: fc.Arbitrary<Step["plans"]> = fc.oneof(
    { weight: 12, arbitrary: fc.tuple(plan) },
    { weight: 2, arbitrary: fc.array(plan, { minLength: 2, maxLength: 8 }) },
    { weight: 1, arbitrary: fc.constant("again" as const) },
  );
  const jobs = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) });
  const step = fc.record<Step>({ plans, jobs, meanwhile: fc.boolean() });
  return fc.array(step, { minLength: 1, maxLength: 250, size: "max" });
}

export type Play = { world: World; targets: ReadonlyMap<string, Target>; tally: Tally; tenancy: Tenancy };

/**
 * Sends the requests of a sequence, then runs all jobs that still wait.
 *
 * @param journal receives a line per request and job
 * @throws {Error} with the request or job, at the first wrong answer or failed job
 */
export async function play(steps: readonly Step[], context: Play, journal: string[]): Promise<void> {
  let last: Plan[] = [];
  for (const { plans, jobs, meanwhile } of steps) {
    if (plans !== "again") last = plans;
    const requests = () => sendAll(last, context, journal);
    if (meanwhile) await settleAll<unknown>([requests(), runJobs(jobs, journal)]);
    else {
      await requests();
      await runJobs(jobs, journal);
    }
  }
  while ((await runJobs(100, journal)) > 0);
}

async function sendAll(plans: readonly Plan[], context: Play, journal: string[]): Promise<void> {
  const { world, targets, tally, tenancy } = context;
  const sent: Sent[] = await settleAll(
    plans.map(async (plan) => {
      const done = await send(targets.get(plan.operationId)!, plan, world, journal);
      tally.count(plan.operationId, done.answer.status);
      return done;
    }),
  );
  await tenancy.check(sent);
}

/** Like `Promise.all`, but no promise is still pending when it rejects. */
async function settleAll<T>(promises: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Runs waiting jobs, oldest first, and returns their number. */
async function runJobs(limit: number, journal: string[]): Promise<number> {
  if (limit === 0) return 0;
  const waiting = await database().execute<{ id: string; type: string }>(
    sql`select id, type from jobs where status = 'Pending' order by created_at, id limit ${limit}`,
  );
  for (const { id, type } of waiting) {
    journal.push(`# job ${id}: ${type}`);
    const { errorCode } = await runJobHere(id).catch((cause: unknown) => {
      throw new Error(`Job ${id} (${type}) could not run: ${(cause as Error).stack}`);
    });
    if (errorCode === "internal_error") throw new Error(`Job ${id} (${type}) ended with ${errorCode}`);
  }
  return waiting.length;
}
