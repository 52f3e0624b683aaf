import { publicOrigin } from "#lib/api/caller/origin";
import { defineRoute } from "#lib/api/define-route";
import { Session } from "#lib/contract/sign-in";
import { callAuthLibrary } from "#lib/domain/users/call-auth-library";

export const GET = defineRoute({
  operationId: "getSession",
  tag: "Sign-in",
  summary: "Get the current session",
  description:
    "Returns the session of the cookie, or `null` if the cookie is missing or belongs to no session.",
  auth: "public",
  rawResponses: {
    "application/json": {
      description: "Response of the sign-in library, or `null` without a session.",
      schema: Session,
    },
  },
  run: (_ctx, { request }) =>
    callAuthLibrary("GET", "/get-session", {
      headers: new Headers([...request.headers]),
      origin: publicOrigin(request),
    }),
});
