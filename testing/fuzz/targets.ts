import type { RouteHandler } from "#lib/api/route-declaration";
import { routeCases } from "#testing/route-cases";
import { GET as finishCompanySignIn } from "../../app/api/auth/callback/oidc/route.ts";
import { GET as session } from "../../app/api/auth/get-session/route.ts";
import { POST as requestPasswordReset } from "../../app/api/auth/request-password-reset/route.ts";
import { POST as resetPassword } from "../../app/api/auth/reset-password/route.ts";
import { POST as signIn } from "../../app/api/auth/sign-in/email/route.ts";
import { GET as startCompanySignIn } from "../../app/api/auth/sign-in/oidc/route.ts";
import { POST as signOut } from "../../app/api/auth/sign-out/route.ts";
import { GET as liveness } from "../../app/api/health/live/route.ts";
import { GET as readiness } from "../../app/api/health/ready/route.ts";
import { POST as mcp } from "../../app/api/mcp/route.ts";
import { GET as metrics } from "../../app/api/metrics/route.ts";
import type { Operation } from "./requests.ts";
import type { Schemas } from "./valid-values.ts";

type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
};

/** An operation of the OpenAPI document with its handler. */
export type Target = {
  operation: Operation;
  method: string;
  path: string;
  /** `GET /api/v1/projects` */
  name: string;
  handler: RouteHandler | ((request: Request) => Promise<Response>);
};

/** Sends a key as agents do. */
function callMcp(request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  const key = headers.get("x-api-key");
  if (key !== null) headers.set("authorization", `Bearer ${key}`);
  return mcp(new Request(request, { headers }));
}

/** Handlers outside of `routeCases()`, by operation id. */
const otherHandlers: Record<string, Target["handler"]> = {
  getSession: session,
  signIn,
  startCompanySignIn,
  finishCompanySignIn,
  signOut,
  requestPasswordReset,
  resetPassword,
  getLiveness: async () => liveness(),
  getReadiness: readiness,
  getMetrics: metrics,
  callMcp,
};

/** Returns every operation of the document with its handler. */
export async function targetsOf({ paths }: OpenApi): Promise<Target[]> {
  const cases = await routeCases();
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { operationId } = operation;
      const own = cases.find((item) => item.handler.declaration.operationId === operationId)?.handler;
      const handler = own ?? otherHandlers[operationId];
      if (!handler) throw new Error(`Operation ${operationId} has no handler. Add it to otherHandlers.`);
      return {
        operation,
        path,
        method: method.toUpperCase(),
        name: `${method.toUpperCase()} ${path}`,
        handler,
      };
    }),
  );
}
