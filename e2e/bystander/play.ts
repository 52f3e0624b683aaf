import { setTimeout as delay } from "node:timers/promises";
import type { World } from "./hostile-world.ts";
import { hostileOperations, unplayed } from "./operations.ts";
import type { HostileCall } from "./request-parts.ts";

/** A request that a hostile tenant has sent, with the status and the text of an error. */
export type Played = { operation: string; title: string; status: number; error: string | null };

/**
 * Returns the operations of the service, by its OpenAPI document.
 *
 * @throws {Error} if an operation has no hostile requests, so that a new route cannot be forgotten
 */
export async function operationsOf(url: string): Promise<string[]> {
  type Document = { paths: Record<string, Record<string, unknown>> };
  const { paths } = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as Document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const missing = operations.filter((name) => !(name in hostileOperations) && !unplayed.has(name));
  if (missing.length > 0)
    throw new Error(`Add expensive requests to e2e/bystander/operations.ts for: ${missing.join(", ")}`);
  return operations.filter((name) => !unplayed.has(name));
}

/** Sends a request of an operation. */
export async function play(world: World, operation: string, call: HostileCall, signal?: AbortSignal) {
  const [method, template] = operation.split(" ") as [string, string];
  const { params, query, headers = {}, body } = call;
  const { scenarioIds, imported: _models, sizes: _sizes, tenant, ...ids } = world;
  const values: Record<string, string> = { ...ids, scenarioId: scenarioIds[0]!, ...params };
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name]!);
  const sent = typeof body === "function" ? body() : body;
  return tenant.send(
    { method, path: query === undefined ? path : `${path}?${query}`, headers, body: sent },
    signal,
  );
}

/** Operations in groups. Those of one group replace the same things, so they are played one after the other. */
export function groupsOf(operations: readonly string[]): string[][] {
  const groups = Object.groupBy(operations, (name) =>
    /\/dataset|\/models/.test(name) ? "data" : /predict$|\/uploads|\/validate/.test(name) ? "large" : "other",
  );
  return Object.values(groups) as string[][];
}

/** Sends every request of the operations once, one after the other. */
export async function playOnce(
  world: World,
  operations: readonly string[],
  log: (text: string) => void,
): Promise<Played[]> {
  const played: Played[] = [];
  for (const operation of operations) {
    for (const call of await hostileOperations[operation]!(world)) {
      const { status, text } = await play(world, operation, call);
      const error = status >= 300 ? text : null;
      played.push({ operation, title: call.title ?? "", status, error });
      log(`${operation} ${call.title ?? ""}: ${status}`);
    }
  }
  return played;
}

/** Cancels the jobs of the hostile project, and waits for their end. */
export async function cancelJobs({ tenant, projectId }: World): Promise<void> {
  type Job = { id: string; status: string };
  for (;;) {
    const jobs = (await tenant.ask("GET", `/jobs/project/${projectId}?limit=200`)) as unknown as Job[];
    const open = jobs.filter(({ status }) => status === "Pending" || status === "Running");
    if (open.length === 0) return;
    for (const { id } of open) await tenant.send({ method: "POST", path: `/jobs/${id}/cancel` });
    await delay(200);
  }
}
