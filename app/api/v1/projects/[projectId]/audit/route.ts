import { z } from "zod";
import { listAudit } from "#lib/audit/list-audit";
import { AuditEntry, AuditQuery } from "#lib/contract/audit";
import { limits } from "#lib/contract/limits";
import { defineRoute } from "#lib/http/define-route";
import { encodeCursor, idBefore, nextLink } from "#lib/http/pagination";
import { ProjectPath } from "#lib/http/path-params";
import { reply } from "#lib/http/reply";

export const GET = defineRoute({
  operationId: "listAudit",
  tag: "Projects",
  summary: "Who did what in the project",
  description: "The latest first. `entityType` may be repeated.",
  auth: "project",
  params: ProjectPath,
  query: AuditQuery,
  response: z.array(AuditEntry),
  async run(ctx, { params, query, request }) {
    const limit = query.limit ?? limits.listDefault;
    const page = await listAudit(ctx, { ...query, ...params, before: idBefore(query.cursor), limit });
    const cursor = page.nextBefore === null ? null : encodeCursor([page.nextBefore]);
    return reply(page.entries, { headers: nextLink(request, cursor) });
  },
});
