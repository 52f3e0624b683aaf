import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { AuditEntry, AuditQuery } from "#lib/contract/audit";
import { listAudit } from "#lib/platform/audit/list-audit";

export const GET = defineRoute({
  operationId: "listAudit",
  tag: "Projects",
  summary: "List a project's audit entries",
  description: "Returns actions in the project, newest first.",
  auth: "project",
  params: ProjectPath,
  query: AuditQuery,
  response: z.array(AuditEntry),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listAudit(ctx, { ...query, ...params, after: pageStart(request) })),
});
