import { z } from "zod";
import { listAudit } from "#lib/audit/list-audit";
import { AuditEntry, AuditQuery } from "#lib/contract/audit";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { pageReply, pageStart } from "#lib/http/response/pagination";

export const GET = defineRoute({
  operationId: "listAudit",
  tag: "Projects",
  summary: "Who did what in the project",
  description: "The latest first. `entityType` may be repeated.",
  auth: "project",
  params: ProjectPath,
  query: AuditQuery,
  response: z.array(AuditEntry),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listAudit(ctx, { ...query, ...params, after: pageStart(request) })),
});
