import { defineRoute } from "#lib/api/define-route";
import { Me } from "#lib/contract/members";
import { whoAmI } from "#lib/domain/users/get-current-user";

export const GET = defineRoute({
  operationId: "getMe",
  tag: "Members",
  summary: "Who is calling",
  description: "The user of a session, or the key and its project.",
  auth: "caller",
  response: Me,
  etag: true,
  run: (ctx) => whoAmI(ctx),
});
