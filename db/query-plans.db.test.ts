import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAttempt } from "#lib/domain/webhooks/record-attempt";
import { takeTurn } from "#lib/domain/webhooks/take-turn";
import { deleteOrphans } from "#lib/platform/artifacts/delete-orphans";
import { database, databaseConnection } from "#lib/platform/database/process-database";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { printMetrics } from "#lib/platform/metrics/print-metrics";
import { EventChannel } from "#lib/platform/realtime/event-channel";
import { relayEvents } from "#lib/platform/realtime/relay-events";
import { runHousekeeping } from "#server/worker/housekeeping";
import { reconcileJobs } from "#server/worker/reconcile-jobs";
import { callRoute, createUser } from "#testing/api";
import { startEventSink } from "#testing/event-sink";
import { type ExplainingDatabase, startExplainingDatabase } from "#testing/executed-plans";
import { growTables } from "#testing/grown-tables";
import { createPopulatedProject } from "#testing/populated-project";
import { routeCases } from "#testing/route-cases";
import { runJobHere } from "#testing/run-jobs";
import { validCalls } from "#testing/valid-calls";

let explaining: ExplainingDatabase;
let sink: Awaited<ReturnType<typeof startEventSink>>;
beforeAll(async () => {
  [explaining, sink] = await Promise.all([startExplainingDatabase(), startEventSink()]);
  await sink.listen();
});
afterAll(() => Promise.all([explaining[Symbol.asyncDispose](), sink.close()]));

/** Tables whose rows are short-lived: recent callers, and artifacts that are being written or deleted. */
const current = ["call_rates", "orphaned_artifacts"];

/**
 * Statements for which the planner overestimates the number of lookups, and prefers a scan of 10,000 rows. It uses the
 * index of larger tables.
 */
const overestimated = [
  /jsonb_each_text\(\$1::jsonb\) as counted/,
  // In the test, one user created all keys.
  /from "api_keys" made/,
];

/** Sums over all projects for the metrics. A process runs this statement once a minute at most. */
const summing = /group by grouping sets \(\(kind\), \(project_id\)\)/;

test("no statement of a route or the worker scans a table that grows", async () => {
  const admin = await createUser();
  const own = await createPopulatedProject({ upstream: [await createPopulatedProject()] });
  const grown = (await growTables(explaining.sql, 10_000)).filter((table) => !current.includes(table));
  expect(grown).toEqual(expect.arrayContaining(["jobs", "outbox_events", "prediction_chunks", "scenarios"]));

  const plans = await explaining.plansOf(async () => {
    for (const item of await routeCases()) {
      for (const as of [own.as, admin]) {
        await callRoute(item.handler, { ...item.call(await validCalls[item.name]!(own)), as });
      }
    }
    const db = database();
    const waiting = await explaining.sql<{ id: string }[]>`select id from jobs where status = 'Pending'`;
    for (const { id } of waiting) await runJobHere(id);
    await relayEvents(db, new EventChannel(sink.settings()));
    await reconcileJobs(db, await jobSender());
    const turn = await takeTurn(db, { hosts: [], projects: [] });
    await recordAttempt(db, turn!, { responseStatus: 204, responseBody: "", error: null });
    await runHousekeeping(db);
    await deleteOrphans(db);
    await printMetrics(databaseConnection());
  });

  expect(plans.length).toBeGreaterThan(1_000);
  const scans = plans.filter(
    (plan) =>
      [...plan.matchAll(/Seq Scan on (\w+)/g)].some(([, table]) => grown.includes(table!)) &&
      ![...overestimated, summing].some((statement) => statement.test(plan)),
  );
  expect(scans.slice(0, 3)).toEqual([]);
}, 300_000); // Each route is called on large tables, and each of its statements is explained.
