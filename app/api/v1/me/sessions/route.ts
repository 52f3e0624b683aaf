import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { OwnSession } from "#lib/contract/account";
import { ListQuery } from "#lib/contract/common";
import { listOwnSessions } from "#lib/domain/users/own-sessions";

export const GET = defineRoute({
  operationId: "listSessions",
  tag: "Sign-in",
  summary: "List the own sessions",
  description: "Returns the caller's sessions that have not expired, newest first.",
  auth: "session",
  query: ListQuery,
  response: z.array(OwnSession),
  run: async (ctx, { query, request }) =>
    pageReply(request, await listOwnSessions(ctx, { limit: query.limit, after: pageStart(request) })),
});
