import { DomainError } from "#lib/errors/domain-error";
import { defineRoute } from "#lib/http/define-route";
import { changesSomething, isSameOrigin, publicOrigin } from "#lib/http/origin";
import { rateLimited } from "#lib/http/rate-limit";
import { tooLarge } from "#lib/http/read-body";
import { answerAuth } from "#lib/users/answer-auth";
import { carriesSession } from "#lib/users/session-cookie";

/** Sign-in, sign-out and the session: the sign-in library answers in its own form. */
const session = defineRoute({
  operationId: "auth",
  tag: "Sign-in",
  summary: "Sign in and out",
  auth: "public",
  async run(_ctx, { request }) {
    refuseForeignPages(request);
    const answer = await answerAuth(request, publicOrigin(request));
    if (!(answer instanceof Response)) throw rateLimited(answer);
    if (answer.status === 413) throw tooLarge(10_000);
    // Copied: the headers of the library's answers may be read-only.
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  },
});

/** A program without a browser sends neither cookie nor origin when it signs in. */
function refuseForeignPages(request: Request): void {
  const fromPage = request.headers.has("origin") || carriesSession(request.headers);
  if (!changesSomething(request) || !fromPage || isSameOrigin(request)) return;
  throw new DomainError("forbidden", "This must come from the service's own pages (header Origin).");
}

export { session as GET, session as POST };
