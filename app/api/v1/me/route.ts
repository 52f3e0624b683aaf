import { defineRoute } from "#lib/api/define-route";
import { Me } from "#lib/contract/members";
import { getCurrentUser } from "#lib/domain/users/get-current-user";

export const GET = defineRoute({
  operationId: "getMe",
  tag: "Members",
  summary: "Get the caller",
  description: "Returns the user of the session, or the API key and its project.",
  auth: "caller",
  response: Me,
  etag: true,
  run: (ctx) => getCurrentUser(ctx),
});
