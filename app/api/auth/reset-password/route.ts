import { defineRoute } from "#lib/api/define-route";
import { Reply } from "#lib/api/response/reply";
import { PasswordReset, PasswordWasReset } from "#lib/contract/sign-in";
import { resetPassword } from "#lib/domain/users/reset-password";

export const POST = defineRoute({
  operationId: "resetPassword",
  tag: "Sign-in",
  summary: "Choose a password",
  description:
    "Sets the password of the member to whom the link was mailed. Ends the link, and all sessions and known devices of the member.",
  auth: "public",
  body: PasswordReset,
  bodyLimitBytes: 10_000,
  response: PasswordWasReset,
  errors: ["not_found"],
  records: ["member.updated"],
  async run({ requestId }, { request, body }) {
    const headers = new Headers([...request.headers]);
    const cookie = await resetPassword(body, { headers, requestId });
    return new Reply({ message: "The password was set. Sign in with it." }, { "Set-Cookie": cookie });
  },
});
