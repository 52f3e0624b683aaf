import { isNull } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase, createDatabase, database, databaseConnection, provideDatabase } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { createCheckpoint } from "#lib/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/checkpoints/delete-checkpoint";
import { faultPoints, passedPoints } from "#lib/jobs/fault-point";
import { closeJobSender } from "#lib/jobs/job-sender";
import { seededRandom } from "#lib/ml/train/seeded-random";
import { callRoute, createUser, type RouteAnswer, testContext } from "#testing/api";
import { type CrashingPostgres, startCrashingPostgres } from "#testing/crashing-postgres";
import { checkInvariants } from "#testing/invariants";
import {
  createPopulatedProject,
  createWaitingScenario,
  type PopulatedProject,
} from "#testing/populated-project";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { POST as signIn } from "../../app/api/auth/sign-in/email/route.ts";
import { GET as ready } from "../../app/api/health/ready/route.ts";
import { runWorker, type Worker } from "./main.ts";

// The database crashes at any step of a job, while requests come and while it recovers. All steps, one after the other:
// `DATABASE_CRASHES=all npx vitest run lib/worker/database-crashes`

const seed = Number(process.env.DATABASE_CRASH_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(seed);

let postgres: CrashingPostgres;
let worker: Worker;
let own: PopulatedProject;
let member: Awaited<ReturnType<typeof createUser>>;
let reads: RouteCase[];
beforeAll(async () => {
  postgres = await startCrashingPostgres();
  provideDatabase(createDatabase(postgres.url));
  own = await createPopulatedProject();
  member = await createUser();
  worker = await runWorker();
  // No realtime service runs here.
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
/** "no job stays stuck over 60 s" */
const done = () => expect.poll(() => openJobs().catch(() => null), { timeout: 60_000 }).toBe(0);

const started = {
  CreateScenario: () => createWaitingScenario(own),
  CreateCheckpoint: () => createCheckpoint(testContext(), own),
  DeleteCheckpoint: async () => {
    const { checkpointId } = await createCheckpoint(testContext(), own);
    await done();
    return deleteCheckpoint(testContext(), { ...own, checkpointId });
  },
};
/** Of a scenario with a checkpoint that is there already. */
const left: readonly string[] = ["artifacts written", "checkpoints published", "file tried"];
const steps = (Object.keys(started) as (keyof typeof started)[]).flatMap((type) =>
  faultPoints[type].filter((point) => !left.includes(point)).map((point) => ({ type, point })),
);
const chosen = process.env.DATABASE_CRASHES === "all" ? steps : [steps[random.below(steps.length)]!];

/** Requests of all kinds until it is told to stop, also while the database is away. */
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

describe(`a crash of the database (seed ${seed})`, () => {
  test.each(chosen)("$type: $point", { timeout: 180_000 }, async ({ type, point }) => {
    await done();
    const { promise: crashed, resolve } = Promise.withResolvers<void>();
    const crash = (name: unknown) => {
      if (name !== `${type}: ${point}`) return;
      passedPoints.unsubscribe(crash);
      postgres.crash();
      resolve();
    };
    let over = false;
    const calling = callUntil(() => over);
    try {
      passedPoints.subscribe(crash);
      await started[type]();
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
    const failed = await databaseConnection()
      .sql`select type, error_code from jobs where status <> 'Completed'`;
    expect(failed).toEqual([]);
    await checkInvariants(databaseConnection().sql);
  });
});
