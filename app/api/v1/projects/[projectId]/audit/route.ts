import { z } from "zod";
import { listAudit } from "#lib/audit/list-audit";
import { ListQuery } from "#lib/contract/common";
import { limits } from "#lib/contract/limits";
import { AuditEntry } from "#lib/contract/members";
import { defineRoute } from "#lib/http/define-route";
import { encodeCursor, idBefore, nextLink } from "#lib/http/pagination";
import { ProjectPath } from "#lib/http/path-params";
import { reply } from "#lib/http/reply";

export const GET = defineRoute({
  operationId: "listAudit",
  tag: "Projects",
  summary: "Who did what in the project",
  description: "The latest first.",
  auth: "project",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(AuditEntry),
  async run(ctx, { params, query, request }) {
    const limit = query.limit ?? limits.listDefault;
    const page = await listAudit(ctx, { ...params, before: idBefore(query.cursor), limit });
    const cursor = page.nextBefore === null ? null : encodeCursor([page.nextBefore]);
    return reply(page.entries, { headers: nextLink(request, cursor) });
  },
});
