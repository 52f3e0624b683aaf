import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { CreateMember, ListedMember, Member } from "#lib/contract/members";
import { listMembers } from "#lib/domain/members/list-members";
import { createMember } from "#lib/domain/users/create-user";

export const GET = defineRoute({
  operationId: "listMembers",
  tag: "Members",
  summary: "List members",
  auth: "session",
  query: ListQuery,
  response: z.array(ListedMember),
  run: async (ctx, { query, request }) =>
    pageReply(request, await listMembers(ctx, { limit: query.limit, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createMember",
  tag: "Members",
  summary: "Create a member",
  description: "Creates an analyst, unless `role` is `admin`.",
  auth: "admin",
  body: CreateMember,
  response: Member,
  status: 201,
  etag: true,
  idempotent: true,
  records: ["member.created"],
  run: (ctx, { body }) => createMember(ctx, body),
});
