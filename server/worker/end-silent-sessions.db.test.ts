import { sql as raw } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { createDatabase, type DatabaseConnection, type Transaction } from "#db/client";
import { copyIn } from "#db/copy-in";
import { binaryCopy } from "#db/pool/binary-rows";
import { isOutage } from "#lib/platform/errors/outage";
import { createTestDatabase } from "#testing/postgres";
import { startTcpProxy } from "#testing/tcp-proxy";
import { endSilentSessions } from "./end-silent-sessions.ts";

const { db, sql, url } = await createTestDatabase();
await sql`create table held (id integer primary key, word text)`;
await sql`insert into held values (1, 'free')`;

const { hostname, port } = new URL(url);
const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
const cutOff = createDatabase(proxy.via(url), { max: 1, statementMs: 5_000 });
afterAll(async () => {
  await cutOff.close();
  await proxy.close();
});

/** Waits until the server expects data of a client for a statement with this beginning. */
const waitForClientRead = (statement: string) =>
  vi.waitFor(
    async () =>
      expect(
        await sql`select from pg_stat_activity
          where state = 'active' and wait_event = 'ClientRead' and query like ${`${statement}%`}`,
      ).toHaveLength(1),
    { timeout: 20_000 },
  );
const change = (tx: DatabaseConnection["db"] | Transaction, word: string) =>
  tx.execute(raw`update held set word = ${word} where id = 1`);

async function expectEnded(holding: Promise<unknown>): Promise<void> {
  const failed = holding.then(
    () => null,
    (error: unknown) => error,
  );
  expect(await endSilentSessions(db)).toBe(0);
  expect(await endSilentSessions(db, 0)).toBe(1);
  await change(db, "free");
  proxy.resume();
  expect(isOutage(await failed)).toBe(true);
}

test("ends a session that waits for the parameters of a statement, and releases its locks", async () => {
  const holding = cutOff.db.transaction(async (tx) => {
    await change(tx, "held");
    proxy.pauseAnswers();
    await tx.execute(raw`select word from held where id = ${1}`);
  });
  await waitForClientRead("select word from held");
  await expectEnded(holding);
});

test("ends a session that waits for the rows of a COPY, and releases its locks", async () => {
  async function* source() {
    yield binaryCopy.start;
    proxy.pause();
    yield binaryCopy.end;
  }
  const holding = cutOff.db.transaction(async (tx) => {
    await change(tx, "held");
    await copyIn(tx, "copy held (id, word) from stdin (format binary)", source());
  });
  await waitForClientRead("copy held");
  await expectEnded(holding);
});

test("keeps a session between two statements, and a session of a command without time limits", async () => {
  await cutOff.db.transaction(async (tx) => {
    await change(tx, "held");
    await sql.begin(async (command) => {
      const rows = await command`copy held (id, word) from stdin`.writable();
      await waitForClientRead("copy");
      expect(await endSilentSessions(db, 0)).toBe(0);
      const copied = new Promise((resolve) => rows.once("finish", resolve));
      rows.end("2\tcopied\n");
      await copied;
    });
  });
  expect([...(await sql`select word from held order by id`)]).toEqual([{ word: "held" }, { word: "copied" }]);
});
