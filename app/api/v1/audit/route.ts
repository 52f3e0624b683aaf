import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { AuditEntry, AuditQuery } from "#lib/contract/audit";
import { listAudit } from "#lib/platform/audit/list-audit";

export const GET = defineRoute({
  operationId: "listAllAudit",
  tag: "Members",
  summary: "List audit entries of all projects",
  description: "Returns actions in all projects and on members, newest first.",
  auth: "admin",
  query: AuditQuery,
  response: z.array(AuditEntry),
  run: async (ctx, { query, request }) =>
    pageReply(request, await listAudit(ctx, { ...query, after: pageStart(request) })),
});
