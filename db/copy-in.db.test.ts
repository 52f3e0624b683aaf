import { sql as raw } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { createDatabase } from "#db/client";
import { isOutage } from "#lib/platform/errors/outage";
import { createTestDatabase } from "#testing/postgres";
import { startTcpProxy } from "#testing/tcp-proxy";
import { copyIn } from "./copy-in.ts";
import { type BinaryValue, binaryCopy, binaryRow, uuidBytes } from "./pool/binary-rows.ts";

const { sql, url } = await createTestDatabase();
await sql`create table pieces (id uuid, place smallint primary key, start integer, word text, data bytea,
  unique (start) deferrable initially deferred, check (word <> 'no'))`;
const text = "copy pieces (id, place, start, word, data) from stdin (format binary)";
const id = "0190a5f2-7f5e-7c1d-8b53-2f1d0a6c9e11";

const { hostname, port } = new URL(url);
const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
const other = createDatabase(proxy.via(url), { max: 1 });
afterAll(async () => {
  await other.close();
  await proxy.close();
});

type Piece = { place: number; start?: number; word?: string };

async function* source(pieces: Iterable<Piece>, bytes = 10) {
  yield binaryCopy.start;
  for (const { place, start = place, word = "ä" } of pieces) {
    const data = { bytes: new Uint8Array(bytes).fill(place) };
    const values: BinaryValue[] = [
      { bytes: uuidBytes(id) },
      { int2: place },
      { int4: start },
      { text: word },
      data,
    ];
    yield binaryRow(values);
  }
  yield binaryCopy.end;
}

const copy = (pieces: AsyncIterable<Uint8Array>, { db } = other) =>
  db.transaction((tx) => copyIn(tx, text, pieces));
const failure = (done: Promise<unknown>) =>
  done.then(
    () => null,
    (error: Error) => error,
  );
const stored = async () => Number((await sql`select count(*) as n from pieces`)[0]!.n);
const one = () => other.db.execute<{ one: number }>(raw`select 1 as one`);

test("stores the given rows within a transaction, which can then run other statements", async () => {
  await other.db.transaction(async (tx) => {
    await copyIn(tx, text, source([{ place: 1 }, { place: -2, start: 2 ** 31 - 1 }]));
    await tx.execute(raw`update pieces set word = 'b' where place = 1`);
    await copyIn(tx, text, source([], 0));
  });
  expect(await sql`select id, place, start, word, data from pieces order by place`).toEqual([
    { id, place: -2, start: 2 ** 31 - 1, word: "ä", data: Buffer.alloc(10, 254) },
    { id, place: 1, start: 1, word: "b", data: Buffer.alloc(10, 1) },
  ]);
  await sql`delete from pieces`;
});

test("fails the transaction with the server's error if it rejects a row, at any row or at the commit", async () => {
  const many = Array.from({ length: 60 }, (_, place) => ({ place }));
  for (const [pieces, code] of [
    [[{ place: 7 }, ...many], "23505"],
    [[...many, { place: 61, word: "no" }], "23514"],
    [[...many, { place: 61, start: 5 }], "23505"],
  ] as const) {
    for (const bytes of [1, 300_000])
      expect(await failure(copy(source(pieces, bytes)))).toMatchObject({ code });
    expect(await one()).toMatchObject([{ one: 1 }]);
  }
  expect(
    await failure(
      copy(
        (async function* () {
          yield Buffer.from("no such format");
        })(),
      ),
    ),
  ).toMatchObject({ code: "22P04" });
  expect(await stored()).toBe(0);
});

test("stores no rows if the source fails or the connection is lost, and later statements work", async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield binaryCopy.start;
    throw new Error("The disk is away");
  }
  expect(await failure(copy(broken()))).toMatchObject({ message: "The disk is away" });
  async function* cut() {
    for await (const piece of source(
      Array.from({ length: 40 }, (_, place) => ({ place })),
      100_000,
    )) {
      yield piece;
      if (piece.length > 1_000) proxy.cut();
    }
  }
  expect(isOutage(await failure(copy(cut())))).toBe(true);
  await vi.waitFor(one);
  expect(await stored()).toBe(0);
});

test("fails with an outage if the server stops reading", async () => {
  async function* hanging() {
    yield binaryCopy.start;
    proxy.pause();
    for await (const piece of source(
      Array.from({ length: 100 }, (_, place) => ({ place })),
      300_000,
    ))
      yield piece;
  }
  const hasty = createDatabase(proxy.via(url), { max: 1, statementMs: 2_000 });
  expect(isOutage(await failure(copy(hanging(), hasty)))).toBe(true);
  proxy.resume();
  await hasty.close();
  await vi.waitFor(one);
  expect(await stored()).toBe(0);
});

test("the server rolls back a transaction that stays idle after a COPY", async () => {
  const ended = other.db.transaction(async (tx) => {
    await tx.execute(raw`set local idle_in_transaction_session_timeout = 200`);
    await copyIn(tx, text, source([{ place: 90 }]));
    const held = async () =>
      (await sql`select pid from pg_stat_activity where query = ${text} and state = 'idle in transaction'`)
        .length;
    await vi.waitFor(async () => expect(await held()).toBe(0), { timeout: 20_000 });
    await tx.execute(raw`select 1`);
  });
  expect(isOutage(await failure(ended))).toBe(true);
  expect(await sql`select from pieces where place = 90`).toHaveLength(0);
  expect(await one()).toEqual([{ one: 1 }]);
});
