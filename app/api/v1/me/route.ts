import { Me } from "#lib/contract/members";
import { defineRoute } from "#lib/http/define-route";
import { whoAmI } from "#lib/users/who-am-i";

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
