import { createDatabase, provideDatabase } from "#db/client";
import type { RouteCall } from "./call-route.ts";
import { routeCases } from "./route-cases.ts";

/** What a process does that is to die at its commit: one call of one route, with an idempotency key. */
export type CrashOrder = {
  databaseUrl: string;
  /** Right before or right after the commit that keeps the answer. */
  when: "before" | "after";
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

const item = (await routeCases()).find(({ name }) => name === route)!;
const { method, headers, body, params } = call;
const sent = body === undefined ? {} : { body: body as string };
const request = new Request(address, { method: method!, headers: headers!, ...sent });
const response = await item.handler(request, { params: Promise.resolve(params) });
// Should not be reached: the test says so.
console.error(response.status, await response.text());
process.exit(0);
