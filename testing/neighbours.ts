import { createUser, type TestUser } from "./api.ts";
import type { RouteAnswer } from "./call-route.ts";
import { createPopulatedProject, type PopulatedProject } from "./populated-project.ts";
import { setEnvironment } from "./set-environment.ts";

/** A project, other projects that its key must not access, and users with access to all projects. */
export type Neighbours = Record<"own" | "stranger" | "upstream" | "downstream", PopulatedProject> &
  Record<"admin" | "analyst", TestUser>;

/** Creates projects with one of everything. `own` depends on `upstream`, and `downstream` depends on `own`. */
export async function createNeighbours(): Promise<Neighbours> {
  enableRealtime();
  const stranger = await createPopulatedProject({ name: "Stranger" });
  const upstream = await createPopulatedProject({ name: "Upstream neighbour" });
  const own = await createPopulatedProject({ name: "Own", upstream: [upstream] });
  const downstream = await createPopulatedProject({ name: "Downstream", upstream: [own] });
  const [admin, analyst] = [await createUser({ role: "admin" }), await createUser({ role: "analyst" })];
  return { own, stranger, upstream, downstream, admin, analyst };
}

/** Sets the credentials of a realtime server. The service authorises channels without a request to that server. */
function enableRealtime(): void {
  setEnvironment({ PUSHER_APP_ID: "app", PUSHER_KEY: "key", PUSHER_SECRET: "secret-secret" });
}

/** Headers that describe the call itself: its id, and the remaining calls of the key. */
const headersOfCall = new Set(["x-request-id", "ratelimit"]);

/**
 * Returns everything by which a caller can distinguish two answers, except their duration.
 *
 * @param sent texts of the request, which the answer may repeat
 */
export function distinguishable({ status, headers, text, error }: RouteAnswer, ...sent: string[]) {
  const shown = [...headers].filter(([name]) => !headersOfCall.has(name));
  const body = [error?.requestId, ...sent].reduce<string>(
    (rest, part) => (part ? rest.replaceAll(part, "…") : rest),
    text,
  );
  return { status, headers: Object.fromEntries(shown), body };
}
