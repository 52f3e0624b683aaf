import { PgBoss } from "pg-boss";
import { expect, it } from "vitest";
import { databaseConnection } from "#db/client";
import { createTestDatabase } from "#testing/postgres";
import { bossConnection } from "./boss-connection.ts";
import { workerOptions } from "./boss-options.ts";

await createTestDatabase();
const { db, url } = databaseConnection();
const withMode = (mode: string) => {
  const address = new URL(url);
  address.searchParams.set("sslmode", mode);
  return bossConnection(db, address.href);
};

it("connects where the server has no TLS and the address only prefers it", async () => {
  const boss = new PgBoss({ ...workerOptions, ...(await withMode("prefer")), schema: "elsewhere" });
  await boss.start();
  await boss.stop({ graceful: false });
});

it("asks for encryption and for a known certificate as the address does, and for nothing where it says nothing", async () => {
  expect(await bossConnection(db, url)).toEqual({ connectionString: url });
  expect(await withMode("disable")).toMatchObject({ ssl: false });
  expect(await withMode("require")).toMatchObject({ ssl: { rejectUnauthorized: false } });
  expect(await withMode("verify-full")).toMatchObject({ ssl: { rejectUnauthorized: true } });
  expect((await withMode("require")).connectionString).not.toContain("sslmode");
});
