import { setTimeout as delay } from "node:timers/promises";
import { isNull } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, expect, vi } from "vitest";
import { jobs } from "#db/schema/jobs";
import type { RouteHandler } from "#lib/api/route-declaration";
import { store } from "#lib/platform/storage/store";
import { runWorker } from "#server/worker/main";
import { callRoute, type RouteAnswer, type RouteCall } from "./call-route.ts";
import { checkInvariants } from "./invariants.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.ts";
import { checkStoredFiles } from "./stored-files.ts";

export type Storm = TestDatabase & {
  /**
   * Runs `act` together with a real worker, and waits until no job is open. Checks the invariants while `act` runs, and
   * the invariants and stored files at the end.
   */
  through<T>(act: () => Promise<T>): Promise<T>;
};

/** Number of concurrent writers: a multiple of 20, at least 40. `STORM_WRITERS=200 npx vitest run races` uses more. */
export const writers = Number(process.env.STORM_WRITERS ?? 40);
/** Pause between two checks of the invariants. Without it, the checks take more processor time than the writers. */
const checkPauseMs = 50;

/**
 * Creates a database for many concurrent writers. After the tests, checks that no deadlock occurred. PostgreSQL aborts
 * one transaction of a deadlock, and a retry would hide that.
 */
export async function createStorm(): Promise<Storm> {
  // Dozens of writers each wait for locks of the others, and then for the jobs of all.
  vi.setConfig({ testTimeout: 5 * 60_000 });
  // On a busy machine, the last of many writers waits longer than the default time limits.
  const test = await createTestDatabase({ max: 20, statementMs: 120_000, waitMs: 120_000 });
  afterAll(async () => expect(await countDeadlocks(test)).toBe(0));
  // Planning the checks takes longer than running them, on each connection.
  const checks = postgres(test.url, { max: 1 });
  afterAll(() => checks.end());
  return {
    ...test,
    async through(act) {
      const worker = await runWorker();
      let over = false;
      const acting = act().finally(() => {
        over = true;
      });
      acting.catch(() => {}); // Prevents an unhandled rejection; `acting` is awaited below.
      try {
        while (!over) {
          await checkInvariants(checks);
          await delay(checkPauseMs);
        }
        const result = await acting;
        const open = () => test.db.$count(jobs, isNull(jobs.finishedAt));
        await expect.poll(open, { timeout: 4 * 60_000, interval: 50 }).toBe(0);
        await checkInvariants(checks);
        await checkStoredFiles(test.sql, store());
        return result;
      } finally {
        await Promise.allSettled([acting]);
        await worker.stop();
      }
    },
  };
}

/**
 * Returns the number of deadlocks in the database. A connection reports its deadlocks when it ends, so this function
 * ends all other connections first.
 */
export async function countDeadlocks({ sql }: Pick<TestDatabase, "sql">): Promise<number> {
  const connection = await sql.reserve();
  try {
    for (let others = -1; others !== 0; ) {
      const ended = await connection`select pg_terminate_backend(pid, 1000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      others = ended.length;
    }
    const [row] = await connection`select deadlocks from pg_stat_database where datname = current_database()`;
    return Number(row?.deadlocks);
  } finally {
    connection.release();
  }
}

/** Calls a route like `callRoute`. Expects a status below 500. */
export async function callInStorm<T>(handler: RouteHandler, call: RouteCall): Promise<RouteAnswer<T>> {
  const answer = await callRoute<T>(handler, call);
  expect(answer.status, answer.text).toBeLessThan(500);
  return answer;
}

/** Runs `act` `count` times concurrently. Settles after all runs have ended, even if one fails. */
export async function atOnce<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const acts = Array.from({ length: count }, (_, index) => act(index));
  await Promise.allSettled(acts);
  return Promise.all(acts);
}

/** Counts the answers by status and error code: `{ "202": 20, "400 checkpoint_limit_reached": 40 }`. */
export function tally(answers: readonly RouteAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, error } of answers) {
    const key = error ? `${status} ${error.code}` : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
