import { defineRoute } from "#lib/api/define-route";
import { Reply } from "#lib/api/response/reply";
import { ChangePassword, EndedSessions } from "#lib/contract/account";
import { changePassword } from "#lib/domain/users/change-password";

export const POST = defineRoute({
  operationId: "changePassword",
  tag: "Sign-in",
  summary: "Change the own password",
  description:
    "Ends all other sessions and known devices of the caller. The current session continues. A wrong current password returns 400 with the issue `wrong_password`, and counts against the limits of sign-in.",
  auth: "session",
  body: ChangePassword,
  bodyLimitBytes: 10_000,
  response: EndedSessions,
  records: ["member.updated"],
  async run(ctx, { request, body }) {
    const { endedSessions, cookie } = await changePassword(ctx, body, request.headers);
    return new Reply({ endedSessions }, { "Set-Cookie": cookie });
  },
});
