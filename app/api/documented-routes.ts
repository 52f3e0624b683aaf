import type { RouteTable } from "#lib/api/route-declaration";
import { routes } from "./v1/routes.ts";

/** What the OpenAPI document describes: the API, and signing in as a program does it. */
export const documentedRoutes: RouteTable = {
  ...routes,
  "/api/auth/sign-in/email": () => import("./auth/sign-in/email/route.ts"),
  "/api/auth/sign-out": () => import("./auth/sign-out/route.ts"),
  "/api/auth/get-session": () => import("./auth/get-session/route.ts"),
};
