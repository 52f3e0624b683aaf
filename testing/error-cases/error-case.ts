import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { type Caller, callRoute, createUser, type RouteAnswer, type TestUser } from "../api.ts";
import { createPopulatedProject, type PopulatedProject } from "../populated-project.ts";
import { type CallParts, type RouteCase, routeCases } from "../route-cases.ts";

/** Answer of a real route, with the message and details that its body must contain. */
type ExpectedError = { answer: RouteAnswer; message: string; details?: object[] };
/** Causes the error of one code. */
export type ErrorCase = (world: ErrorWorld) => Promise<ExpectedError>;

/** A project with an item of each kind, its upstream project, and users who call. */
export type ErrorWorld = {
  own: PopulatedProject;
  upstream: PopulatedProject;
  admin: TestUser;
  analyst: TestUser;
  /** The database that the routes use. */
  sql: Sql;
  /** Calls a route by its name; by default in the project `own`, with its key. */
  call(name: string, parts?: CallParts, as?: Caller): Promise<RouteAnswer>;
};

export async function createErrorWorld(sql: Sql): Promise<ErrorWorld> {
  const upstream = await createPopulatedProject({ name: "Upstream" });
  const own = await createPopulatedProject({ name: "Own", upstream: [upstream] });
  const cases = new Map((await routeCases()).map((item): [string, RouteCase] => [item.name, item]));
  return {
    own,
    upstream,
    sql,
    admin: await createUser(),
    analyst: await createUser({ role: "analyst" }),
    call(name, parts = {}, as = own.as) {
      const item = cases.get(name)!;
      const params = { projectId: own.projectId, ...parts.params };
      return callRoute(item.handler, { ...item.call({ ...parts, params }), as });
    },
  };
}

export const ofProject = "/api/v1/projects/{projectId}";
/** An id without a resource. */
export const unknownId = randomUUID();
