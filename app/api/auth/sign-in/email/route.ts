import { publicOrigin } from "#lib/api/caller/origin";
import { defineRoute } from "#lib/api/define-route";
import { Credentials, SignedIn } from "#lib/contract/sign-in";
import { signIn } from "#lib/domain/users/sign-in";

export const POST = defineRoute({
  operationId: "signIn",
  tag: "Sign-in",
  summary: "Sign in with email and password",
  description:
    "The response sets the session cookie. Send the cookie with further requests. Requests that change something also need an `Origin` header with the service's own scheme and host.",
  auth: "public",
  body: Credentials,
  bodyLimitBytes: 10_000,
  rawResponses: {
    "application/json": {
      description: "Response of the sign-in library. The cookie carries the session.",
      schema: SignedIn,
    },
  },
  errors: ["session_required", "forbidden"],
  records: "none because the log reports it, and no stored entity changes",
  run: ({ requestId }, { request, body }) =>
    signIn(body, {
      headers: new Headers([...request.headers]),
      origin: publicOrigin(request),
      requestId,
    }),
});
