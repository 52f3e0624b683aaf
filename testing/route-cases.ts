import { randomUUID } from "node:crypto";
import { type Method, methods, type RouteHandler } from "#lib/http/route-declaration";
import { routes } from "../app/api/v1/routes.ts";
import type { RouteCall } from "./call-route.ts";

/** One method of one route of the API, ready to be called. */
export type RouteCase = {
  path: string;
  method: Method;
  handler: RouteHandler;
  /** Whether it belongs to the project in its path. */
  ofProject: boolean;
  /** Changes something, so that a cookie alone must not do. */
  changes: boolean;
  /** A call in a project, with ids of things that do not exist, and an empty body where one is taken. */
  call(projectId: string): RouteCall;
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
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const { body, rawBody } = handler.declaration;
  const contentType = rawBody ? Object.keys(rawBody)[0]! : "application/json";
  return {
    path,
    method,
    handler,
    ofProject: names.includes("projectId"),
    changes: method !== "GET",
    call(projectId) {
      const values = names.map((name) => [name, name === "projectId" ? projectId : randomUUID()]);
      const params: Record<string, string> = Object.fromEntries(values);
      return {
        method,
        params,
        path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!),
        ...(body || rawBody ? { body: "{}", headers: { "content-type": contentType } } : {}),
      };
    },
  };
}
