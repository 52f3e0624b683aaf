import { setTimeout as delay } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { databaseConnection } from "#db/client";
import { removeLoose } from "#lib/artifacts/remove-loose";
import { collectGarbage } from "#lib/platform/artifacts/collect-garbage";
import { environment } from "#lib/platform/config/environment";
import { noteHandovers } from "#lib/platform/jobs/attempts";
import { bossConnection } from "#lib/platform/jobs/boss-connection";
import { queueOptions, takeOptions, workerOptions } from "#lib/platform/jobs/boss-options";
import { type QueueName, queueNames } from "#lib/platform/jobs/catalogue";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { logger } from "#lib/platform/log/logger";
import { startRelay } from "#lib/platform/realtime/start-relay";
import { endSilentSessions } from "./end-silent-sessions.ts";
import { keepHouse } from "./housekeeping.ts";
import { reconcileJobs } from "./reconcile-jobs.ts";
import { repeat } from "./repeat.ts";
import { runJob } from "./run-job.ts";
import { RunsInProgress } from "./runs-in-progress.ts";

export type Worker = {
  /** Takes no more jobs, waits a few seconds for those under way, and gives the others back: at most ten seconds. */
  stop(): Promise<void>;
};

const checkRunsMs = 500;
const reconcileMs = 5_000;
const keepHouseMs = 10 * 60_000;
const removeLooseMs = 1_000;
const collectGarbageMs = 6 * 3_600_000;

/**
 * Takes jobs from the database and does them until it is stopped; sends the events; tidies up. Any number of workers
 * may do so beside each other.
 *
 * @param concurrency short jobs at a time (scenarios, checkpoints, deletions); long ones are done one at a time
 * @param drainMs how long `stop` waits for jobs under way before it tells them to end
 */
export async function runWorker({
  concurrency = 4,
  drainMs = 6_000,
}: {
  concurrency?: number;
  drainMs?: number;
} = {}): Promise<Worker> {
  const connection = databaseConnection();
  const { db } = connection;
  await jobSender(); // Makes the tables and queues that this worker is about to read.
  const boss = new PgBoss({ ...workerOptions, ...(await bossConnection(db, connection.url)), max: 5 });
  boss.on("error", (err) => logger().warn({ err }, "pg-boss reports an error"));
  await boss.start();

  const runs = new RunsInProgress();
  const atOnce: Record<QueueName, number> = { short: concurrency, long: 1 };
  const takeJobs = async (queue: QueueName) => {
    const options = {
      ...takeOptions[queue],
      heartbeatRefreshSeconds: 2,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 1,
    };
    const id = await boss.work<{ jobId: string }, void>(queue, options, async ([delivery]) => {
      boss.notifyWorker(id); // Where many wait it looks for the next one at once, not when the second has passed.
      await runJob(db, delivery!.data.jobId, delivery!.signal, runs);
    });
  };
  for (const queue of queueNames) {
    await boss.updateQueue(queue, queueOptions);
    for (let place = 0; place < atOnce[queue]; place++) await takeJobs(queue);
  }

  const { pusher } = environment();
  if (pusher === null) logger().warn("No realtime service is configured (PUSHER_*): events wait.");
  const stops = [
    repeat("looking after runs", checkRunsMs, () => runs.check(db)),
    repeat("ending silent sessions", reconcileMs, () => endSilentSessions(db)),
    repeat("reconciling jobs", reconcileMs, () => reconcileJobs(db, boss)),
    repeat("tidying up", keepHouseMs, () => keepHouse(db)),
    repeat("removing artifacts", removeLooseMs, () => removeLoose(db)),
    repeat("looking through the artifacts", collectGarbageMs, () => collectGarbage(db)),
    ...(pusher === null ? [] : [startRelay(connection, pusher)]),
  ];
  logger().info({ concurrency }, "the worker takes jobs");

  return {
    async stop() {
      const drained = Promise.all(queueNames.map((queue) => boss.offWork(queue)));
      await Promise.race([drained, delay(drainMs)]);
      const handedOver = noteHandovers(db, runs.stopAll()).catch((err: unknown) =>
        logger().warn({ err }, "handing jobs over fails: they go on when they are missed"),
      );
      await Promise.race([Promise.all([drained, handedOver]), delay(2_500)]);
      await Promise.all(stops.map((stop) => stop()));
      await boss.stop({ graceful: false });
    },
  };
}
