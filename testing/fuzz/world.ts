import { putDataset } from "#lib/domain/datasets/put-dataset";
import {
  type Caller,
  callRoute,
  createKey,
  createUser,
  nobody,
  type TestUser,
  testContext,
  testHost,
  withKey,
} from "#testing/api";
import type { RouteAnswer } from "#testing/call-route";
import { createPopulatedProject, type PopulatedProject } from "#testing/populated-project";
import { POST as signInRoute } from "../../app/api/auth/sign-in/email/route.ts";
import { POST as setupRoute } from "../../app/api/v1/setup/route.ts";
import { setEnvironment } from "../set-environment.ts";
import { seriesFile } from "./csv-files.ts";
import { Pool } from "./pool.ts";

const callerNames = [
  "own key",
  "newest key",
  "admin",
  "analyst",
  "upstream's key",
  "stranger's key",
  "revoked key",
  "broken key",
  "other origin",
  "nobody",
] as const;
export type CallerName = (typeof callerNames)[number];

/** Caller; for a key, with the project that the key grants. */
export type FuzzCaller = Caller & { projectId: string | null };

/** Users and project that all sequences of requests share. */
export type Staff = { first: { id: string }; admin: TestUser; analyst: TestUser; stranger: PopulatedProject };

/** Data of one sequence of requests: its own project, an upstream project and the unrelated `stranger`. */
export type World = Staff & {
  own: PopulatedProject;
  upstream: PopulatedProject;
  pool: Pool;
  callers: Record<CallerName, FuzzCaller>;
};

/** Credentials of the user that the run signs in. */
const firstAdmin = { name: "First", email: "first@example.com", password: "battery staple" };

/**
 * Creates the shared users and project. The first admin is the result of `POST /setup`, which succeeds once, and signs in,
 * which random requests rarely manage.
 */
export async function createStaff(): Promise<{ staff: Staff; setup: RouteAnswer; signIn: RouteAnswer }> {
  setEnvironment({ PUSHER_APP_ID: "app", PUSHER_KEY: "key", PUSHER_SECRET: "secret-secret" });
  const setup = await callRoute<{ id: string }>(setupRoute, { path: "/api/v1/setup", body: firstAdmin });
  const { name: _, ...credentials } = firstAdmin;
  const signIn = await callRoute(signInRoute, {
    body: credentials,
    headers: { origin: `http://${testHost}`, "x-client-address": "192.0.2.1" },
  });
  const stranger = await createPopulatedProject({ name: "Stranger" });
  const [admin, analyst] = [await createUser({ role: "admin" }), await createUser({ role: "analyst" })];
  return { staff: { first: setup.data, admin, analyst, stranger }, setup, signIn };
}

export async function createWorld(staff: Staff): Promise<World> {
  const upstream = await createPopulatedProject({ name: "Upstream" });
  const own = await createPopulatedProject({ name: "Own", upstream: [upstream] });
  const series = { fileData: seriesFile.toString("base64"), target: "demand", timestamp: "day" };
  await putDataset(testContext(), { projectId: own.projectId, ...series });
  const { first, admin, analyst, stranger } = staff;
  const { cookie } = admin.headers;
  const revoked = await createKey({ projectId: own.projectId, revokedAt: new Date() });
  const user = (caller: Caller): FuzzCaller => ({ headers: caller.headers, projectId: null });
  const keyOf = ({ as, projectId }: PopulatedProject): FuzzCaller => ({ headers: as.headers, projectId });
  const pool = poolOf([stranger, upstream, own], [first.id, admin.id, analyst.id]);
  pool.add("key", (await createKey({ projectId: own.projectId })).id, own.projectId);
  return {
    ...staff,
    own,
    upstream,
    pool,
    callers: {
      "own key": keyOf(own),
      "newest key": keyOf(own),
      admin: user(admin),
      analyst: user(analyst),
      "upstream's key": keyOf(upstream),
      "stranger's key": keyOf(stranger),
      "revoked key": user(revoked),
      "broken key": user(withKey("mps_nonsense")),
      "other origin": user({ headers: { cookie: cookie!, origin: "http://evil.test" } }),
      nobody: user(nobody),
    },
  };
}

/** Creates the pool without the calling users and keys: after their deletion, the service would reject all calls. */
function poolOf(projects: PopulatedProject[], users: string[]): Pool {
  const pool = new Pool([...users, ...projects.map(({ keyId }) => keyId)]);
  for (const one of projects) {
    const { projectId } = one;
    pool.add("project", projectId, null);
    pool.add("checkpoint", one.checkpointId, projectId);
    pool.add("scenario", one.otherScenarioId, projectId);
    pool.add("scenario", one.scenarioId, projectId);
    pool.add("model", one.modelId, projectId);
    pool.add("job", one.jobId, projectId);
    pool.add("upload", one.uploadId, projectId);
  }
  return pool;
}

/** Makes a key from an answer the "newest key", which sends later requests. */
export function adoptKey(world: World, projectId: string, { data }: RouteAnswer): void {
  const key = (data as { key?: unknown } | null | undefined)?.key;
  if (typeof key === "string") world.callers["newest key"] = { ...withKey(key), projectId };
}
