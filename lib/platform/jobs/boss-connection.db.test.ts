import { expect, it } from "vitest";
import { databaseConnection } from "#lib/platform/database/process-database";
import { createTestDatabase } from "#testing/postgres";
import { bossConnection, workerBoss } from "./boss-connection.ts";

const { sql } = await createTestDatabase();
const { db, url } = databaseConnection();
const inMode = (mode: string) => {
  const address = new URL(url);
  address.searchParams.set("sslmode", mode);
  return address.href;
};
const withMode = (mode: string) => bossConnection(db, inMode(mode));

it("connects without TLS if the server has none and the address only prefers it", async () => {
  const boss = await workerBoss({ db, url: inMode("prefer") });
  await boss.start();
  await boss.stop({ graceful: false });
});

it("stops while the server ends its sessions, without an error that ends the process", async () => {
  const sessions = async () => [
    ...(await sql<{ pid: number; listens: boolean }[]>`
      select pid, query ilike 'listen %' as listens from pg_stat_activity
      where datname = current_database() and (application_name = 'pgboss' or query ilike 'listen %')`),
  ];
  const boss = await workerBoss({ db, url });
  await boss.start();
  await expect.poll(sessions).toContainEqual(expect.objectContaining({ listens: true }));
  const pids = (await sessions()).map(({ pid }) => pid);
  // Halted processes of the server read that their clients have left only when they end.
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  const stopping = boss.stop({ graceful: false });
  await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`;
  for (const pid of pids) process.kill(pid, "SIGCONT");
  await stopping;
  await expect.poll(sessions).toEqual([]);
});

it("requires encryption and a verified certificate exactly if the address does", async () => {
  expect(await bossConnection(db, url)).toEqual({ connectionString: url });
  expect(await withMode("disable")).toMatchObject({ ssl: false });
  expect(await withMode("require")).toMatchObject({ ssl: { rejectUnauthorized: false } });
  expect(await withMode("verify-full")).toMatchObject({ ssl: { rejectUnauthorized: true } });
  expect((await withMode("require")).connectionString).not.toContain("sslmode");
});
