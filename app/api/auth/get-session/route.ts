import { publicOrigin } from "#lib/api/caller/origin";
import { defineRoute } from "#lib/api/define-route";
import { Session } from "#lib/contract/sign-in";
import { askLibrary } from "#lib/domain/users/call-auth-library";

export const GET = defineRoute({
  operationId: "getSession",
  tag: "Sign-in",
  summary: "The session of the cookie",
  description: "null where the cookie is of no session, or there is none.",
  auth: "public",
  rawResponses: {
    "application/json": { description: "The sign-in library's own; null without a session", schema: Session },
  },
  run: (_ctx, { request }) =>
    askLibrary("GET", "/get-session", {
      headers: new Headers([...request.headers]),
      origin: publicOrigin(request),
    }),
});
