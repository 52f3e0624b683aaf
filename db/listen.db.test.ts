import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#testing/postgres";
import { startTcpProxy } from "#testing/tcp-proxy";
import { listen } from "./listen.ts";

const { sql, url } = await createTestDatabase();

test("receives notifications again after its connection was cut", { timeout: 30_000 }, async () => {
  const { hostname: host, port } = new URL(url);
  await using way = await startTcpProxy({ host, port: Number(port) });
  const heard: (string | null)[] = [];
  onTestFinished(listen(way.via(url), "listen_test", (payload) => void heard.push(payload)));
  await expect.poll(() => heard).toEqual([null]);
  way.cut();
  // The loss is noticed at the next check, within five seconds.
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual([null, null]);
  await sql`notify listen_test, 'again'`;
  await expect.poll(() => heard).toEqual([null, null, "again"]);
});
