import { defineRoute } from "#lib/api/define-route";
import { EndedSessions, EndSessions } from "#lib/contract/account";
import { endOwnSessions } from "#lib/domain/users/own-sessions";

export const POST = defineRoute({
  operationId: "endSessions",
  tag: "Sign-in",
  summary: "End own sessions",
  description:
    "Ends one session of the caller, or all except the current one. An unknown ID ends none. The devices stay known to the limits of sign-in; a new password ends them, too.",
  auth: "session",
  body: EndSessions,
  response: EndedSessions,
  records: "none because the log reports it, and no stored entity changes",
  run: (ctx, { body }) => endOwnSessions(ctx, body),
});
