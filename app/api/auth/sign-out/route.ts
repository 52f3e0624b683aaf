import { SignedOut } from "#lib/contract/sign-in";
import { publicOrigin, refuseForeignPage } from "#lib/http/caller/origin";
import { defineRoute } from "#lib/http/define-route";
import { signOut } from "#lib/users/sign-out";

export const POST = defineRoute({
  operationId: "signOut",
  tag: "Sign-in",
  summary: "Sign out",
  description: "Ends the session of the cookie.",
  auth: "public",
  rawResponses: { "application/json": { description: "The sign-in library's own", schema: SignedOut } },
  errors: ["forbidden"],
  async run(_ctx, { request }) {
    refuseForeignPage(request);
    return signOut({ headers: new Headers([...request.headers]), origin: publicOrigin(request) });
  },
});
