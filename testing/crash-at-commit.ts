import { createDatabase, provideDatabase } from "#db/client";
import type { Method } from "#lib/api/route-declaration";
import { routes } from "../app/api/v1/routes.ts";
import type { RouteCall } from "./call-route.ts";

/** What a process does that is to die at its commit: one call of one route, with an idempotency key. */
export type CrashOrder = {
  databaseUrl: string;
  /** Right before or right after the commit that keeps the answer. */
  when: "before" | "after";
  /** `POST /api/v1/projects` */
  route: string;
  address: string;
  key: string;
  call: RouteCall;
};

const { databaseUrl, when, route, address, key, call }: CrashOrder = JSON.parse(process.env.CRASH_ORDER!);
const connection = createDatabase(databaseUrl);
provideDatabase(connection);

type Asking = (query: string) => Promise<unknown>;
/** The process is gone where this transaction, or the database by now, holds the answer. */
async function dieOnceAnswered(ask: Asking): Promise<void> {
  const found = await ask(`select from idempotency_keys where key = '${key}' and answer is not null`);
  if ((found as unknown[]).length > 0) process.kill(process.pid, "SIGKILL");
}

const { db } = connection;
const transaction = db.transaction.bind(db);
db.transaction = async (work, config) => {
  const result = await transaction(async (tx) => {
    const inside = await work(tx);
    if (when === "before") await dieOnceAnswered(async (query) => tx.execute(query));
    return inside;
  }, config);
  await dieOnceAnswered(async (query) => db.execute(query));
  return result;
};

const [method, path] = route.split(" ") as [Method, string];
// This one alone: to load them all takes a process the most of its life.
const handler = (await routes[path]!())[method]!;
const { headers, body, params } = call;
const sent = body === undefined ? {} : { body: body as string };
const request = new Request(address, { method, headers: headers!, ...sent });
const response = await handler(request, { params: Promise.resolve(params) });
// Should not be reached: the test says so.
console.error(response.status, await response.text());
process.exit(0);
