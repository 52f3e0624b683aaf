import { randomUUID } from "node:crypto";
import { type Method, methods, type RouteHandler } from "#lib/api/route-declaration";
import { routes } from "../app/api/v1/routes.ts";
import type { RouteCall } from "./call-route.ts";

/** What a call of a known route takes: the ids in its path, its query, its body. */
export type CallParts = Pick<RouteCall, "query" | "body" | "headers"> & { params?: Record<string, string> };

/** One method of one route of the API, ready to be called. */
export type RouteCase = {
  /** `POST /api/v1/projects/{projectId}/predict` */
  name: string;
  method: Method;
  handler: RouteHandler;
  /** Names of the ids in its path. */
  ids: string[];
  /** Changes something, so that a cookie alone must not do. */
  changes: boolean;
  /** A call with ids of things that do not exist, and an empty body, where `parts` does not say otherwise. */
  call(parts: CallParts): RouteCall;
};

/** Every method of every route, for tables of tests that a new route joins by itself. */
export async function routeCases(): Promise<RouteCase[]> {
  const cases: RouteCase[] = [];
  for (const [path, load] of Object.entries(routes)) {
    const module = await load();
    for (const method of methods) {
      const handler = module[method];
      if (handler) cases.push(caseOf(path, method, handler));
    }
  }
  return cases;
}

function caseOf(path: string, method: Method, handler: RouteHandler): RouteCase {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const { body, rawBody } = handler.declaration;
  const contentType = rawBody ? Object.keys(rawBody)[0]! : "application/json";
  const empty = body || rawBody ? { body: "{}", headers: { "content-type": contentType } } : {};
  return {
    name: `${method} ${path}`,
    method,
    handler,
    ids,
    changes: method !== "GET",
    call({ params: given = {}, query, ...parts }) {
      const params = Object.fromEntries(ids.map((id) => [id, given[id] ?? randomUUID()]));
      return {
        ...{ method, params, ...empty, ...parts },
        ...(query === undefined ? {} : { query }),
        headers: { ...empty.headers, ...parts.headers },
        path: path.replaceAll(/\{(\w+)\}/g, (_, id: string) => params[id]!),
      };
    },
  };
}
