import { createUser, type TestUser } from "./api.ts";
import type { RouteAnswer } from "./call-route.ts";
import { createPopulatedProject, type PopulatedProject } from "./populated-project.ts";

/** A project and those whose things must stay out of its key's reach, and users, who see them all. */
export type Neighbours = Record<"own" | "stranger" | "upstream" | "downstream", PopulatedProject> &
  Record<"admin" | "analyst", TestUser>;

/** `own` depends on `upstream`, and `downstream` on `own`; each has one of everything. */
export async function createNeighbours(): Promise<Neighbours> {
  enableRealtime();
  const stranger = await createPopulatedProject({ name: "Stranger" });
  const upstream = await createPopulatedProject({ name: "Upstream" });
  const own = await createPopulatedProject({ name: "Own", upstream: [upstream] });
  const downstream = await createPopulatedProject({ name: "Downstream", upstream: [own] });
  const [admin, analyst] = [await createUser({ role: "admin" }), await createUser({ role: "analyst" })];
  return { own, stranger, upstream, downstream, admin, analyst };
}

/** Channels are authorised without asking the server that would serve them. */
function enableRealtime(): void {
  Object.assign(process.env, { PUSHER_APP_ID: "app", PUSHER_KEY: "key", PUSHER_SECRET: "secret-secret" });
}

/** What the machinery says of the call itself: its id, and how much is left to the key that made it. */
const ofTheCall = new Set(["x-request-id", "ratelimit"]);

/**
 * Everything that a caller can tell two answers apart by, the time they take aside.
 *
 * @param sent what the caller itself wrote into the request, and may find in the answer
 */
export function told({ status, headers, text, error }: RouteAnswer, ...sent: string[]) {
  const shown = [...headers].filter(([name]) => !ofTheCall.has(name));
  const body = [error?.requestId, ...sent].reduce<string>(
    (rest, part) => (part ? rest.replaceAll(part, "…") : rest),
    text,
  );
  return { status, headers: Object.fromEntries(shown), body };
}
