import type { RouteCall } from "#testing/call-route";
import type { CallParts } from "#testing/route-cases";
import { type KnownWorld, type Moment, settle } from "./later.ts";
import type { Plan } from "./requests.ts";

type BuiltRequest = {
  call: RouteCall;
  /** Project in the path; null without one. */
  projectId: string | null;
  body: unknown;
};

type Given = { plan: Plan; world: KnownWorld; example: CallParts | null };

/** Builds a planned request: replaces placeholders, merges the example and applies the breaks. */
export function buildRequest(
  { method, path }: { method: string; path: string },
  { plan, world, example }: Given,
): BuiltRequest {
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
    method,
    params,
    query,
    headers,
    path: path.replaceAll(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(params[id]!.toWellFormed())),
    ...(sent === undefined || method === "GET" ? {} : { body: sent }),
  };
  return { call, projectId: path.includes("{projectId}") ? params.projectId!.toLowerCase() : null, body };
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
