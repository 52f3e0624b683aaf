import { afterAll, expect, test } from "vitest";
import { createDatabase } from "#db/client";
import { provideDatabase } from "#lib/platform/database/process-database";
import { callRoute, createKey, createProject, createUser, forgetKeyLeases } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { startTcpProxy } from "#testing/tcp-proxy";
import { GET as listCheckpoints } from "../../app/api/v1/projects/[projectId]/checkpoints/route.ts";
import { PATCH as changeProject } from "../../app/api/v1/projects/[projectId]/route.ts";

// Half-open connections: every process reconnects by itself. Requests in between receive 503 with Retry-After.

const direct = await createTestDatabase();

const { id: projectId } = await createProject();
const admin = await createUser();
const key = await createKey({ projectId });
const { hostname: host, port } = new URL(direct.url);
const way = await startTcpProxy({ host, port: Number(port) });
const hanging = createDatabase(way.via(direct.url), { max: 3, statementMs: 500 });
provideDatabase(hanging);
afterAll(async () => {
  provideDatabase(direct);
  await hanging.close();
  await way.close();
});

const read = () => callRoute(listCheckpoints, { as: key, params: { projectId } });
const rename = (name: string) =>
  callRoute(changeProject, { method: "PATCH", as: admin, params: { projectId }, body: { name } });

test("requests of keys and of sessions receive 503 with Retry-After, and the same process serves them afterwards", async () => {
  expect([(await read()).status, (await rename("Before")).status]).toEqual([200, 200]);
  way.pause();
  forgetKeyLeases();
  const rejected = await Promise.all([read(), rename("Lost"), read(), read(), rename("Lost too")]);
  for (const { status, error, headers } of rejected) {
    expect([status, error?.code, headers.get("retry-after")]).toEqual([503, "service_unavailable", "5"]);
  }
  way.resume();
  const answers = await Promise.all([read(), rename("After"), read()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(hanging.load()).toMatchObject({ inUse: 0, waiting: 0 });
});
