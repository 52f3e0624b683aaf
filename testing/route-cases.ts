import { randomUUID } from "node:crypto";
import { type Method, methods, type RouteHandler, type RouteTable } from "#lib/api/route-declaration";
import { routes } from "../app/api/v1/routes.ts";
import type { RouteCall } from "./call-route.ts";

/** Parts of a call of a known route: ids in its path, query, body and headers. */
export type CallParts = Pick<RouteCall, "query" | "body" | "headers"> & { params?: Record<string, string> };

/** One method of one route of the API. */
export type RouteCase = {
  /** Method and path: `POST /api/v1/projects/{projectId}/predict`. */
  name: string;
  method: Method;
  handler: RouteHandler;
  /** Names of the ids in its path. */
  ids: string[];
  /** Whether the method changes data. A session cookie alone must not authorise it then. */
  changes: boolean;
  /** Creates a call. By default, its ids do not exist and its body is empty. */
  call(parts: CallParts): RouteCall;
};

/** Returns whether only an admin, of the service or of the project, may call a route. */
export const isForAdmins = ({ declaration: { auth } }: Pick<RouteHandler, "declaration">) =>
  auth === "admin" || auth === "manage";

/** Returns every method of every route. Tests that iterate over them include new routes automatically. */
export async function routeCases(table: RouteTable = routes): Promise<RouteCase[]> {
  const cases: RouteCase[] = [];
  for (const [path, load] of Object.entries(table)) {
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
        method,
        params,
        ...empty,
        ...parts,
        ...(query === undefined ? {} : { query }),
        headers: { ...empty.headers, ...parts.headers },
        path: path.replaceAll(/\{(\w+)\}/g, (_, id: string) => params[id]!),
      };
    },
  };
}
