import type { RouteTable } from "#lib/api/route-declaration";
import { routes } from "./routes.ts";

/** Routes that the OpenAPI document describes: the API, and sign-in for programs. */
export const documentedRoutes: RouteTable = {
  ...routes,
  "/api/auth/sign-in/email": () => import("../auth/sign-in/email/route.ts"),
  "/api/auth/request-password-reset": () => import("../auth/request-password-reset/route.ts"),
  "/api/auth/reset-password": () => import("../auth/reset-password/route.ts"),
  "/api/auth/sign-out": () => import("../auth/sign-out/route.ts"),
  "/api/auth/sign-in/oidc": () => import("../auth/sign-in/oidc/route.ts"),
  "/api/auth/callback/oidc": () => import("../auth/callback/oidc/route.ts"),
  "/api/auth/get-session": () => import("../auth/get-session/route.ts"),
};
