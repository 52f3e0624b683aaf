import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { CreateMember, Member } from "#lib/contract/members";
import { listMembers } from "#lib/domain/users/list-members";
import { createMember } from "#lib/users/create-member";

export const GET = defineRoute({
  operationId: "listMembers",
  tag: "Members",
  summary: "List members",
  auth: "session",
  query: ListQuery,
  response: z.array(Member),
  run: async (ctx, { query, request }) =>
    pageReply(request, await listMembers(ctx, { limit: query.limit, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createMember",
  tag: "Members",
  summary: "Create a member",
  description: "An analyst unless `role` says otherwise.",
  auth: "admin",
  body: CreateMember,
  response: Member,
  status: 201,
  idempotent: true,
  run: (ctx, { body }) => createMember(ctx, body),
});
