import { publicOrigin, refuseForeignPage } from "#lib/api/caller/origin";
import { rateLimited } from "#lib/api/caller/rate-limit";
import { defineRoute } from "#lib/api/define-route";
import { Credentials, SignedIn } from "#lib/contract/sign-in";
import { signIn } from "#lib/users/sign-in";

export const POST = defineRoute({
  operationId: "signIn",
  tag: "Sign-in",
  summary: "Sign in by e-mail and password",
  description:
    "The answer's cookie is the session: send it with further calls, and with changes an `Origin` header of the service's own scheme and host.",
  auth: "public",
  body: Credentials,
  bodyLimitBytes: 10_000,
  rawResponses: {
    "application/json": {
      description: "The sign-in library's own; the cookie is the session",
      schema: SignedIn,
    },
  },
  errors: ["session_required", "forbidden"],
  async run(_ctx, { request, body }) {
    refuseForeignPage(request);
    const answer = await signIn(body, {
      headers: new Headers([...request.headers]),
      origin: publicOrigin(request),
    });
    if (!(answer instanceof Response)) throw rateLimited(answer);
    return answer;
  },
});
