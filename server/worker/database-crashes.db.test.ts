import { isNull } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import { readJob } from "#lib/domain/jobs/find-job";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import {
  closeDatabase,
  database,
  databaseConnection,
  provideDatabase,
} from "#lib/platform/database/process-database";
import { closeJobSender } from "#lib/platform/jobs/job-sender";
import { callRoute, createUser, type RouteAnswer } from "#testing/api";
import { type CrashingPostgres, startCrashingPostgres } from "#testing/crashing-postgres";
import { faultPoints, passedPoints } from "#testing/fault-points";
import { checkInvariants } from "#testing/invariants";
import { type JobOrder, prepareJob } from "#testing/job-orders";
import { createPopulatedProject, type PopulatedProject } from "#testing/populated-project";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { POST as signIn } from "../../app/api/auth/sign-in/email/route.ts";
import { GET as ready } from "../../app/api/health/ready/route.ts";
import { runWorker, type Worker } from "./main.ts";

// The database crashes at any step of a job, during requests, and again while it recovers.

const seed = Number(process.env.DATABASE_CRASH_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(seed);

/**
 * `DATABASE_CRASHES=all npx vitest run server/worker/database-crashes` tests every step, `DATABASE_CRASHES=TrainModel`
 * those of one type. By default, the test covers one step.
 */
const wanted = process.env.DATABASE_CRASHES;
const steps = (Object.keys(faultPoints) as JobType[]).flatMap((type) =>
  faultPoints[type].map((point) => ({ type, point })),
);
const chosen =
  wanted === undefined
    ? [steps[random.below(steps.length)]!]
    : steps.filter(({ type }) => wanted === "all" || wanted === type);
const restarts = 3;

let postgres: CrashingPostgres;
let worker: Worker;
let own: PopulatedProject;
let member: Awaited<ReturnType<typeof createUser>>;
let reads: RouteCase[];
const orders: JobOrder[] = [];
let repeatedOrder: JobOrder;
beforeAll(async () => {
  postgres = await startCrashingPostgres();
  provideDatabase(createDatabase(postgres.url));
  own = await createPopulatedProject();
  member = await createUser();
  // Before the worker starts, because it would take jobs of the preparation.
  for (const { type, point } of chosen) orders.push(await prepareJob(type, point));
  repeatedOrder = await prepareJob("CreateScenario");
  worker = await runWorker();
  // Excludes the route of the realtime service, which does not run here.
  const answered = ({ method, name }: RouteCase) => method === "GET" && !name.endsWith("/realtime");
  reads = (await routeCases()).filter(answered);
});
afterAll(async () => {
  await worker.stop();
  await closeJobSender();
  await closeDatabase();
  await postgres[Symbol.asyncDispose]();
});

const openJobs = () => database().$count(jobs, isNull(jobs.finishedAt));
/** Waits until every job has ended. No job may stay open for more than 60 s. */
const done = () => expect.poll(() => openJobs().catch(() => null), { timeout: 60_000 }).toBe(0);

/** Sends requests of all kinds until `over` returns true, also while the database is unavailable. */
async function callUntil(over: () => boolean): Promise<RouteAnswer[]> {
  const answers: RouteAnswer[] = [];
  const calls = [
    ...reads.map(
      (item) => () => callRoute(item.handler, { ...item.call({ params: { ...own } as never }), as: own.as }),
    ),
    () => callRoute(ready, { path: "/api/health/ready" }),
    () => callRoute(signIn, { body: { email: member.email, password: "correct horse battery" } }),
  ];
  const call = async () => {
    while (!over()) answers.push(await calls[random.below(calls.length)]!());
  };
  await Promise.all([call(), call(), call(), call()]);
  return answers;
}

/** Crashes the database when a job passes the step. Resolves after the crash. */
function crashAt(step: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const crash = (name: unknown) => {
    if (name !== step) return;
    passedPoints.unsubscribe(crash);
    postgres.crash();
    resolve();
  };
  passedPoints.subscribe(crash);
  return promise;
}

/** Time limit of a test that restarts PostgreSQL several times and waits for the recovery of its jobs. */
const timeout = 600_000;

describe(`a crash of the database (seed ${seed})`, () => {
  test.each(chosen.map((step, at) => ({ ...step, at })))(
    "at $type: $point, fails no job, and fails requests only with 503",
    { timeout },
    async ({ type, point, at }) => {
      await done();
      let over = false;
      const calling = callUntil(() => over);
      try {
        const crashed = crashAt(`${type}: ${point}`);
        await orders[at]!.order();
        await crashed;
        await postgres.crashInRecovery(random.below(100));
        await postgres.restart();
        await done();
      } finally {
        over = true;
      }
      for (const answer of await calling) {
        if (answer.status < 500) continue;
        expect([answer.status, answer.headers.get("retry-after")], answer.text).toEqual([503, "5"]);
      }
      await expectAllDone();
    },
  );

  test("that repeats within one job uses up none of its attempts", {
    timeout,
  }, async () => {
    await done();
    let crashed = crashAt("CreateScenario: predicted");
    const { jobId } = await repeatedOrder.order();
    for (let restart = 1; restart <= restarts; restart++) {
      await crashed;
      if (restart < restarts) crashed = crashAt("CreateScenario: predicted");
      await postgres.restart();
    }
    await done();
    expect(await readJob(database(), jobId)).toMatchObject({
      status: "Completed",
      attempt: restarts + 1,
      interruptions: restarts,
      failures: 0,
    });
    await expectAllDone();
  });
});

async function expectAllDone(): Promise<void> {
  const failed = await databaseConnection()
    .sql`select type, error_code from jobs where status <> 'Completed'`;
  expect(failed).toEqual([]);
  await checkInvariants(databaseConnection().sql);
}
