import { afterAll, beforeAll, expect, test } from "vitest";
import { database, databaseConnection } from "#db/client";
import { removeLoose } from "#lib/artifacts/remove-loose";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { printMetrics } from "#lib/platform/metrics/print-metrics";
import { EventChannel } from "#lib/platform/realtime/event-channel";
import { relayEvents } from "#lib/platform/realtime/relay-events";
import { keepHouse } from "#server/worker/housekeeping";
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

/** Whose rows go with what they are about: whom the last minutes brought, and what is just being written or removed. */
const current = ["call_rates", "loose_artifacts"];

/** Where the planner reads 10,000 rows rather than look up as many as it believes to come: it looks up in larger ones. */
const guessed = [/jsonb_each_text\(\$1::jsonb\) as counted/];

test("no statement that a route or the worker sends reads through a table that grows", async () => {
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
    await keepHouse(db);
    await removeLoose(db);
    await printMetrics(databaseConnection());
  });

  expect(plans.length).toBeGreaterThan(1_000);
  const through = plans.filter(
    (plan) =>
      [...plan.matchAll(/Seq Scan on (\w+)/g)].some(([, table]) => grown.includes(table!)) &&
      !guessed.some((statement) => statement.test(plan)),
  );
  expect(through.slice(0, 3)).toEqual([]);
});
