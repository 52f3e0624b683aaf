import { z } from "zod";
import { ListQuery } from "#lib/contract/common";
import { CreateMember, Member } from "#lib/contract/members";
import { defineRoute } from "#lib/http/define-route";
import { pageReply, pageStart } from "#lib/http/response/pagination";
import { createMember } from "#lib/users/create-member";
import { listMembers } from "#lib/users/list-members";

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
