import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client";
import { composeMail } from "#lib/domain/mails/compose-mail";
import { fitDeliveredPart, partsAtOnce } from "#lib/domain/models/fit-part";
import { startSendingWebhooks } from "#lib/domain/webhooks/send-webhooks";
import { collectGarbage } from "#lib/platform/artifacts/collect-garbage";
import { deleteOrphans } from "#lib/platform/artifacts/delete-orphans";
import { environment, type MailSettings } from "#lib/platform/config/environment";
import { databaseConnection } from "#lib/platform/database/process-database";
import { recordInterruptions } from "#lib/platform/jobs/attempts";
import { workerBoss } from "#lib/platform/jobs/boss-connection";
import { fetchOptions, partOptions, queueOptions } from "#lib/platform/jobs/boss-options";
import { partsQueue, type QueueName, queueNames } from "#lib/platform/jobs/catalogue";
import { jobSender } from "#lib/platform/jobs/job-sender";
import type { Part, PartOutput } from "#lib/platform/jobs/parts";
import { logger } from "#lib/platform/log/logger";
import { startRelay } from "#lib/platform/realtime/start-relay";
import { endSilentSessions } from "./end-silent-sessions.ts";
import { runHousekeeping } from "./housekeeping.ts";
import { reconcileJobs } from "./reconcile-jobs.ts";
import { runJob } from "./run-job.ts";
import { RunsInProgress } from "./runs-in-progress.ts";
import { wakeSlots } from "./wake-slots.ts";
import type { Watchdog } from "./watchdog.ts";

export type Worker = {
  /** Stops taking jobs, waits for running ones, then hands over the rest. By default, takes at most ten seconds. */
  stop(): Promise<void>;
};

const checkRunsMs = 500;
const wakeSlotsMs = 1_000;
const reconcileMs = 5_000;
const housekeepingMs = 10 * 60_000;
const deleteOrphansMs = 1_000;
const collectGarbageMs = 6 * 3_600_000;
/** Time to end after the wait for running jobs. The steps of `stop` take four seconds, closed connections up to five. */
const stopSeconds = 12;

/**
 * Runs jobs of the database until it is stopped. Also sends events and deletes expired data. Any number of workers can
 * use the same database.
 *
 * @param concurrency number of short jobs (scenarios, checkpoints, deletions) at a time, one less for each project; long
 *   jobs run one at a time
 * @param drainMs time that `stop` waits for running jobs before it stops them
 * @param watchdog refreshes heartbeats while the main loop is blocked, and ends the process if it stays blocked
 */
export async function runWorker({
  concurrency = 4,
  drainMs = 6_000,
  watchdog,
}: {
  concurrency?: number;
  drainMs?: number;
  watchdog?: Watchdog;
} = {}): Promise<Worker> {
  const connection = databaseConnection();
  const { db } = connection;
  await jobSender(); // Creates the tables and queues that this worker reads.
  const boss = await workerBoss(connection);
  await boss.start();

  const runs = new RunsInProgress();
  const atOnce: Record<QueueName, number> = { short: concurrency, long: 1 };
  /** Takes deliveries of a queue, several at a time. */
  const take = async <I extends object, O>(
    queue: QueueName | typeof partsQueue,
    slots: number,
    run: (data: I, delivery: { id: string; retryCount: number; signal: AbortSignal }) => Promise<O>,
  ) => {
    await boss.updateQueue(queue, queue === partsQueue ? partOptions : queueOptions);
    const options = {
      ...fetchOptions(queue, slots),
      localConcurrency: slots,
      heartbeatRefreshSeconds: 2,
      // Only while the database cannot notify. Otherwise `wakeSlots` finds what has no notification.
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 30,
    };
    await boss.work<I, O>(queue, options, async ([delivery]) => {
      const { id, retryCount, data, signal } = delivery!;
      // Each slot that runs a job fetches the next one at once instead of after the polling interval.
      for (const slot of boss.getWipData()) if (slot.count > 0) boss.notifyWorker(slot.id);
      using _held = watchdog?.hold({ queue, id, retryCount });
      return await run(data, { id, retryCount, signal });
    });
  };
  for (const queue of queueNames)
    await take<{ jobId: string }, void>(queue, atOnce[queue], ({ jobId }, { signal }) =>
      runJob(db, jobId, signal, runs),
    );
  await take<Part, PartOutput>(partsQueue, partsAtOnce(), (part, delivery) =>
    fitDeliveredPart(db, part, delivery),
  );

  const { pusher, mail } = environment();
  if (pusher === null)
    logger().warn("No realtime service is configured (PUSHER_*). Events wait in the database.");
  const stops = [
    repeat("checking runs", checkRunsMs, () => runs.stopCancelledAndStale(db)),
    repeat("waking slots", wakeSlotsMs, () => wakeSlots(db, boss)),
    repeat("ending silent sessions", reconcileMs, () => endSilentSessions(db)),
    repeat("reconciling jobs", reconcileMs, () => reconcileJobs(db, boss)),
    repeat("housekeeping", housekeepingMs, () => runHousekeeping(db)),
    repeat("deleting orphans", deleteOrphansMs, () => deleteOrphans(db)),
    repeat("collecting garbage", collectGarbageMs, () => collectGarbage(db)),
    startSendingWebhooks(db),
    ...(mail === null ? [] : [await startMails(db, mail)]),
    ...(pusher === null ? [] : [startRelay(connection, pusher)]),
  ];
  logger().info({ concurrency }, "the worker takes jobs");

  return {
    async stop() {
      watchdog?.endWithin(drainMs / 1_000 + stopSeconds);
      const drained = Promise.all([...queueNames, partsQueue].map((queue) => boss.offWork(queue)));
      await Promise.race([drained, delay(drainMs)]);
      const recorded = recordInterruptions(db, runs.stopAll()).catch((err: unknown) =>
        logger().warn({ err }, "interruptions could not be recorded; these attempts count as crashes"),
      );
      await Promise.race([Promise.all([drained, recorded]), delay(2_500)]);
      // A scan of the whole store may take longer. It ends with the process.
      await Promise.race([Promise.all(stops.map((stop) => stop())), delay(1_500)]);
      await boss.stop({ graceful: false });
    },
  };
}

/** Loads the mail library, which has 39 modules, only where mails are sent. */
async function startMails(db: Database, mail: MailSettings): Promise<() => Promise<void>> {
  const { startSendingMails } = await import("#lib/platform/mail/send-mails");
  return startSendingMails(db, mail, composeMail);
}

/**
 * Runs a task repeatedly, with a pause in between, until it is stopped. Logs a failure and continues.
 *
 * @param name noun phrase for the log, such as "housekeeping"
 * @returns a function that stops it and waits for the current run
 */
function repeat(name: string, everyMs: number, task: () => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      try {
        await task();
      } catch (err) {
        if (!signal.aborted) logger().warn({ err }, `${name} failed and will be retried`);
      }
      await delay(everyMs, undefined, { signal }).catch(() => {}); // The stop aborts the wait.
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    await running;
  };
}
