import { sql as raw } from "drizzle-orm";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createDatabase } from "#db/client";
import { isOutage } from "#lib/platform/errors/outage";
import { createTestDatabase } from "#testing/postgres";
import { startTcpProxy } from "#testing/tcp-proxy";

const { sql, url } = await createTestDatabase();
await sql`create table notes (word text unique deferrable initially deferred)`;

const { hostname, port } = new URL(url);
const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
const other = createDatabase(proxy.via(url), { max: 2, statementMs: 500 });
afterAll(async () => {
  await other.close();
  await proxy.close();
});

const failure = (done: Promise<unknown>) =>
  done.then(
    () => null,
    (error: Error) => error,
  );
const note = (word: string) => raw`insert into notes values (${word})`;
const words = async () => (await sql`select word from notes order by word`).map(({ word }) => word);
const one = () => other.db.execute<{ one: number }>(raw`select 1 as one`);
/** Waits until the pool has replaced both connections after a cut. */
const onOpenConnections = () => vi.waitFor(() => Promise.all([one(), one()]));

test("abandons a hanging connection with an outage, and opens a new one for the next query", async () => {
  await onOpenConnections();
  proxy.pause();
  const failures = await Promise.all([one, one, one].map((query) => failure(query())));
  expect(failures.map(isOutage)).toEqual([true, true, true]);
  proxy.resume();
  expect(await one()).toMatchObject([{ one: 1 }]);
  expect(other.load()).toEqual({ max: 2, inUse: 0, waiting: 0 });
});

test("abandons a new connection that receives no answer", async () => {
  const fresh = createDatabase(proxy.via(url), { statementMs: 500 });
  proxy.pause();
  expect(isOutage(await failure(fresh.db.transaction((tx) => tx.execute(note("never")))))).toBe(true);
  proxy.resume();
  await fresh.close();
  expect(await words()).toEqual([]);
});

describe("a connection that is lost in a transaction", () => {
  test("fails the transaction, and its later statements run on no other connection", async () => {
    const failed = await failure(
      other.db.transaction(async (tx) => {
        await tx.execute(note("before"));
        proxy.cut();
        await onOpenConnections(); // Other queries use new connections.
        await tx.execute(note("after"));
      }),
    );
    expect(isOutage(failed)).toBe(true);
    await onOpenConnections();
    expect(await words()).toEqual([]);
  });

  test("fails the transaction even if it catches the errors of all later statements", async () => {
    const lost = other.db.transaction(async (tx) => {
      await tx.execute(note("before"));
      proxy.cut();
      await tx.execute(note("swallowed")).catch(() => {});
      await tx.execute(note("late")).catch(() => {});
      return "done";
    });
    expect(isOutage(await failure(lost))).toBe(true);
    await onOpenConnections();
    expect(await words()).toEqual([]);
  });
});

describe("a transaction", () => {
  test("is rolled back if it fails, also at the commit, and its connection is used again", async () => {
    const thrown = new Error("no");
    const failing = other.db.transaction(async (tx) => {
      await tx.execute(note("a"));
      throw thrown;
    });
    expect(await failure(failing)).toBe(thrown);
    const deferred = other.db.transaction(async (tx) => {
      await tx.execute(note("a"));
      await tx.execute(note("a"));
    });
    expect(await failure(deferred)).toMatchObject({ code: "23505" });
    expect(await words()).toEqual([]);
    expect(await one()).toMatchObject([{ one: 1 }]);
  });

  test("fails with an error that it has caught, instead of being rolled back without an error", async () => {
    const swallowing = other.db.transaction(async (tx) => {
      await tx.execute(note("a"));
      await tx.execute(raw`select 1 / 0`).catch(() => {});
    });
    expect(await failure(swallowing)).toMatchObject({ code: "22012" });
    expect(await words()).toEqual([]);
  });

  test("continues after an inner transaction has failed, without its changes", async () => {
    await other.db.transaction(async (tx) => {
      await tx.execute(note("outer"));
      await tx
        .transaction(async (inner) => {
          await inner.transaction(async (innermost) => innermost.execute(note("innermost")));
          await inner.execute(raw`select 1 / 0`);
        })
        .catch(() => {});
      await tx.transaction(async (inner) => inner.execute(note("inner")));
    });
    expect(await words()).toEqual(["inner", "outer"]);
    await sql`delete from notes`;
  });

  test("rejects a statement that starts after its end", async () => {
    const late = Promise.withResolvers<void>();
    let written: Promise<unknown> = Promise.resolve();
    await failure(
      other.db.transaction(async (tx) => {
        written = failure(late.promise.then(() => tx.execute(note("late"))));
        await tx.execute(raw`select 1 / 0`);
      }),
    );
    late.resolve();
    expect(String(((await written) as Error).cause)).toContain("The transaction is over");
    expect(await words()).toEqual([]);
  });
});

test("fails with an outage for a statement over the time limit, and keeps its connection", async () => {
  const [before] = await other.db.execute(raw`select pg_backend_pid() as pid`);
  expect(isOutage(await failure(other.db.execute(raw`select pg_sleep(60)`)))).toBe(true);
  const [after] = await other.db.execute(raw`select pg_backend_pid() as pid`);
  expect(after).toEqual(before);
});

test("serves waiting callers in order, and a closing pool rejects new queries", async () => {
  const small = createDatabase(url, { max: 1 });
  const gate = Promise.withResolvers<void>();
  const held = small.db.transaction(() => gate.promise);
  const order: number[] = [];
  const queries = [1, 2].map((n) => small.db.execute(raw`select 1`).then(() => order.push(n)));
  await expect.poll(() => small.load()).toEqual({ max: 1, inUse: 1, waiting: 2 });
  gate.resolve();
  await Promise.all([held, ...queries]);
  expect(order).toEqual([1, 2]);
  const end = Promise.withResolvers<void>();
  const last = small.db.transaction(async (tx) => {
    await end.promise;
    await tx.execute(note("last"));
  });
  await expect.poll(() => small.load().inUse).toBe(1);
  const closing = small.close();
  expect(isOutage(await failure(small.db.execute(raw`select 1`)))).toBe(true);
  end.resolve();
  await Promise.all([last, closing]);
  expect(await words()).toEqual(["last"]);
});
