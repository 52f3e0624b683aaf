import { publicOrigin, refuseForeignPage } from "#lib/api/caller/origin";
import { defineRoute } from "#lib/api/define-route";
import { SignedOut } from "#lib/contract/sign-in";
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
