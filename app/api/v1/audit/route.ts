import { z } from "zod";
import { listAudit } from "#lib/audit/list-audit";
import { AuditEntry, AuditQuery } from "#lib/contract/audit";
import { limits } from "#lib/contract/limits";
import { defineRoute } from "#lib/http/define-route";
import { encodeCursor, idBefore, nextLink } from "#lib/http/pagination";
import { reply } from "#lib/http/reply";

export const GET = defineRoute({
  operationId: "listAllAudit",
  tag: "Members",
  summary: "Who did what, in all projects and with the members",
  description: "The latest first. `entityType` may be repeated.",
  auth: "admin",
  query: AuditQuery,
  response: z.array(AuditEntry),
  async run(ctx, { query, request }) {
    const limit = query.limit ?? limits.listDefault;
    const page = await listAudit(ctx, { ...query, before: idBefore(query.cursor), limit });
    const cursor = page.nextBefore === null ? null : encodeCursor([page.nextBefore]);
    return reply(page.entries, { headers: nextLink(request, cursor) });
  },
});
