import { flushCompileCache } from "node:module";
import { createDatabase } from "#db/client";
import type { Method, RouteTable } from "#lib/api/route-declaration";
import { provideDatabase } from "#lib/platform/database/process-database";
import { routes } from "../app/api/v1/routes.ts";
import type { RouteCall } from "./call-route.ts";

/** Order for a process that dies at its commit: one call of one route, with an idempotency key. */
export type CrashOrder = {
  databaseUrl: string;
  /** Whether the process dies immediately before or after the commit that stores the answer. */
  when: "before" | "after";
  /** Method and path: `POST /api/v1/projects`. */
  route: string;
  address: string;
  key: string;
  call: RouteCall;
};

const { databaseUrl, when, route, address, key, call }: CrashOrder = JSON.parse(process.env.CRASH_ORDER!);
const connection = createDatabase(databaseUrl);
provideDatabase(connection);

type RunQuery = (query: string) => Promise<unknown>;
/** Kills this process if the query sees the stored answer. */
async function dieIfAnswered(runQuery: RunQuery): Promise<void> {
  const found = await runQuery(`select from idempotency_keys where key = '${key}' and answer is not null`);
  if ((found as unknown[]).length === 0) return;
  flushCompileCache(); // A killed process does not write it, and the next one would strip all types again.
  process.kill(process.pid, "SIGKILL");
}

const { db } = connection;
const transaction = db.transaction.bind(db);
db.transaction = async (work, config) => {
  const result = await transaction(async (tx) => {
    const inside = await work(tx);
    if (when === "before") await dieIfAnswered(async (query) => tx.execute(query));
    return inside;
  }, config);
  await dieIfAnswered(async (query) => db.execute(query));
  return result;
};

const [method, path] = route.split(" ") as [Method, string];
// Loads only this route, because loading all routes would take most of the process's run time.
const table: RouteTable = routes;
const handler = (await table[path]!())[method]!;
const { headers, body, params } = call;
const sent = body === undefined ? {} : { body: body as string };
const request = new Request(address, { method, headers: headers!, ...sent });
const response = await handler(request, { params: Promise.resolve(params) });
// Not reached if the process dies as ordered. Otherwise, the test fails and shows this answer.
console.error(response.status, await response.text());
process.exit(0);
