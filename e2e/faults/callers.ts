import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { buildRequest } from "#testing/fuzz/build-request";
import type { KnownWorld } from "#testing/fuzz/later";
import { Pool } from "#testing/fuzz/pool";
import { type Operation, requestsOf } from "#testing/fuzz/requests";
import type { Schemas } from "#testing/fuzz/valid-values";
import type { Client } from "./client.ts";

type OpenApi = { paths: Record<string, Record<string, Operation>>; components: { schemas: Schemas } };

/** Operations that end sessions of the run, or answer with more than a request may wait for. */
const excluded = new Set(["signOut", "createFirstAdmin", "changePassword", "endSessions"]);

/** Pause after a request without a response: the process is starting. */
const pauseMs = 200;

/**
 * Sends random requests of the OpenAPI document to a separate project until the signal.
 *
 * @param excludedIds ids that no request may name, because other callers need them
 */
export async function callUntil(
  signal: AbortSignal,
  {
    client,
    seed,
    projects: [own, upstream, stranger],
    excludedIds,
  }: { client: Client; seed: number; projects: [string, string, string]; excludedIds: string[] },
): Promise<void> {
  const answer = await client.insist<unknown>("GET", "/openapi.json", undefined, null);
  const { paths, components } = JSON.parse(answer!.text) as OpenApi;
  const targets = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const fitting = targets.filter(({ operation }) => !excluded.has(operation.operationId));
  const plans = fc.oneof(
    ...fitting.map((target) =>
      requestsOf(target.operation, components.schemas).map((plan) => ({ target, plan })),
    ),
  );
  const world: KnownWorld = {
    own: { projectId: own },
    upstream: { projectId: upstream },
    stranger: { projectId: stranger },
    pool: new Pool(excludedIds),
  };
  for (let batch = 0; !signal.aborted; batch++) {
    for (const { target, plan } of fc.sample(plans, { seed: seed + batch, numRuns: 50 })) {
      if (signal.aborted) return;
      const { call, projectId } = buildRequest(target, { plan, world, example: null });
      const query = new URLSearchParams();
      for (const [name, values] of Object.entries(call.query ?? {}))
        for (const value of [values].flat()) query.append(name, value);
      const headers = Object.fromEntries(
        Object.entries(call.headers ?? {}).filter(([, value]) => /^[\x20-\x7e]*$/.test(value)),
      );
      const body = call.body as string | Uint8Array | undefined;
      const path = query.size === 0 ? call.path! : `${call.path}?${query}`;
      const response = await client.send(call.method!, path, body, headers);
      if (response === null) {
        await delay(pauseMs);
        continue;
      }
      const { status, data, text } = response;
      world.pool.learn(target.path, projectId, {
        status,
        data,
        text,
        headers: response.headers,
        body: undefined,
        error: undefined,
      });
    }
  }
}
