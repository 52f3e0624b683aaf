import { defineRoute } from "#lib/http/define-route";
import { publicOrigin } from "#lib/http/origin";
import { rateLimited } from "#lib/http/rate-limit";
import { tooLarge } from "#lib/http/read-body";
import { answerAuth } from "#lib/users/answer-auth";

/** Sign-in, sign-out and the session: the sign-in library answers in its own form. */
const session = defineRoute({
  operationId: "auth",
  tag: "Sign-in",
  summary: "Sign in and out",
  auth: "public",
  async run(_ctx, { request }) {
    const answer = await answerAuth(request, publicOrigin(request));
    if (!(answer instanceof Response)) throw rateLimited(answer);
    if (answer.status === 413) throw tooLarge(10_000);
    // Copied: the headers of the library's answers may be read-only.
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  },
});

export { session as GET, session as POST };
