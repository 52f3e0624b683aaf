import { z } from "zod";
import { listAudit } from "#lib/audit/list-audit";
import { AuditEntry, AuditQuery } from "#lib/contract/audit";
import { defineRoute } from "#lib/http/define-route";
import { pageReply, pageStart } from "#lib/http/response/pagination";

export const GET = defineRoute({
  operationId: "listAllAudit",
  tag: "Members",
  summary: "Who did what, in all projects and with the members",
  description: "The latest first. `entityType` may be repeated.",
  auth: "admin",
  query: AuditQuery,
  response: z.array(AuditEntry),
  run: async (ctx, { query, request }) =>
    pageReply(request, await listAudit(ctx, { ...query, after: pageStart(request) })),
});
