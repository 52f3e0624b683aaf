import { publicOrigin } from "#lib/api/caller/origin";
import { defineRoute } from "#lib/api/define-route";
import { SignedOut } from "#lib/contract/sign-in";
import { signOut } from "#lib/domain/users/sign-in";

export const POST = defineRoute({
  operationId: "signOut",
  tag: "Sign-in",
  summary: "Sign out",
  description: "Ends the session of the cookie.",
  auth: "public",
  rawResponses: {
    "application/json": { description: "Response of the sign-in library.", schema: SignedOut },
  },
  errors: ["forbidden"],
  records: "none because the log reports it, and no stored entity changes",
  async run(_ctx, { request }) {
    return signOut({ headers: new Headers([...request.headers]), origin: publicOrigin(request) });
  },
});
