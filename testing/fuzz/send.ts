import type { RouteAnswer } from "#testing/call-route";
import { callRoute, type RouteCall } from "#testing/call-route";
import type { CallParts } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";
import { curlOf } from "./curl.ts";
import { type Moment, settle } from "./later.ts";
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
  const { call, caller, projectId, body } = await requestOf(target, plan, world);
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

/** Builds the request: replaces placeholders, merges the example and applies the breaks. */
async function requestOf({ method, path, name }: Target, plan: Plan, world: World) {
  const caller = world.callers[plan.caller];
  const example = plan.fromExample ? await exampleOf(name, world) : null;
  const { own } = world;
  const chosen = settle(plan.params.projectId ?? own.projectId, { world, projectId: own.projectId });
  const moment: Moment = { world, projectId: chosen as string };
  const settled = <T>(value: T) => settle(value, moment) as T;
  const given = settled({ ...plan.params, projectId: chosen }) as Record<string, string>;
  const params: Record<string, string> = { ...given, ...example?.params };
  const query = { ...textsOf(settled(example?.query ?? plan.query)), ...textsOf(settled(plan.oddQuery)) };
  const headers = { ...settled(plan.headers), ...example?.headers } as Record<string, string>;
  const whole = example === null ? plan.body : example.body;
  const body = settled(plan.breakBody.reduce((broken, breakOnce) => breakOnce(broken), whole));
  const sent = body === undefined ? undefined : bytesOf(body, headers["content-type"], plan.breakText);
  const call: RouteCall = {
    ...{ method, params, query, headers },
    path: path.replaceAll(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(params[id]!.toWellFormed())),
    ...(sent === undefined || method === "GET" ? {} : { body: sent }),
  };
  return {
    call,
    caller,
    projectId: path.includes("{projectId}") ? params.projectId!.toLowerCase() : null,
    body,
  };
}

/** Returns the valid call of an operation; null without one, or if the project no longer allows it. */
async function exampleOf(name: string, { own }: World): Promise<CallParts | null> {
  try {
    return (await validCalls[name]?.(own)) ?? null;
  } catch {
    return null;
  }
}

function bytesOf(body: unknown, type: string | undefined, breakText: Plan["breakText"]): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  const text = typeof body === "string" && type !== "application/json" ? body : textOf(body, type);
  return breakText === null ? text : breakText(text);
}

function textOf(body: unknown, type: string | undefined): string {
  if (type !== "application/x-www-form-urlencoded" || body === null || typeof body !== "object") {
    return JSON.stringify(body);
  }
  return new URLSearchParams(
    Object.entries(textsOf(body)).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  ).toString();
}

function textsOf(values: object): Record<string, string | string[]> {
  const text = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(text) : text(value)]),
  );
}
