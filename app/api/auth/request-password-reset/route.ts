import { defineRoute } from "#lib/api/define-route";
import { PasswordResetRequest, PasswordResetRequested } from "#lib/contract/sign-in";
import { requestPasswordReset } from "#lib/domain/users/request-password-reset";

export const POST = defineRoute({
  operationId: "requestPasswordReset",
  tag: "Sign-in",
  summary: "Request a new password",
  description:
    "Mails the member a link to choose a new password, valid for an hour. The response is the same if no member has the address. Exists only in a service that sends mail.",
  auth: "public",
  body: PasswordResetRequest,
  bodyLimitBytes: 10_000,
  response: PasswordResetRequested,
  status: 202,
  errors: ["not_found"],
  records: "none because no stored entity changes before the link is used",
  async run(_ctx, { request, body }) {
    await requestPasswordReset(body, { headers: request.headers });
    return { message: "If a member has this address, a mail with a link is on its way." };
  },
});
