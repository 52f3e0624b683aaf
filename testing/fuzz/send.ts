import type { RouteAnswer } from "#testing/call-route";
import { callRoute } from "#testing/call-route";
import type { CallParts } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";
import { buildRequest } from "./build-request.ts";
import { curlOf } from "./curl.ts";
import type { Plan } from "./requests.ts";
import type { Target } from "./targets.ts";
import { adoptKey, type FuzzCaller, type World } from "./world.ts";

export type Sent = {
  operationId: string;
  caller: FuzzCaller;
  projectId: string | null;
  /** The request as a `curl` command. Long bodies are cut. */
  text: string;
  body: unknown;
  answer: RouteAnswer;
};

/**
 * Sends a planned request, and adds the ids of the answer to the world.
 *
 * @throws {Error} with the request, if the answer is a server error or does not match the OpenAPI document
 */
export async function send(target: Target, plan: Plan, world: World, journal: string[]): Promise<Sent> {
  const caller = world.callers[plan.caller];
  const example = plan.fromExample ? await exampleOf(target.name, world) : null;
  const { call, projectId, body } = buildRequest(target, { plan, world, example });
  const text = curlOf(call, caller);
  journal.push(text);
  try {
    const answer = await callRoute(target.handler, { ...call, as: caller });
    if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
    world.pool.learn(target.path, projectId, answer);
    if (projectId !== null) adoptKey(world, projectId, answer);
    return { operationId: plan.operationId, caller, projectId, text, body, answer };
  } catch (cause) {
    throw new Error(`${plan.operationId}, called by ${plan.caller}:\n${text}\n\n${(cause as Error).stack}`);
  }
}

/** Returns the valid call of an operation; null without one, or if the project no longer allows it. */
async function exampleOf(name: string, { own }: World): Promise<CallParts | null> {
  try {
    return (await validCalls[name]?.(own)) ?? null;
  } catch {
    return null;
  }
}
