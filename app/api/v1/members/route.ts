import { z } from "zod";
import { CreateMember, Member } from "#lib/contract/members";
import { defineRoute } from "#lib/http/define-route";
import { createMember } from "#lib/users/create-member";
import { listMembers } from "#lib/users/list-members";

export const GET = defineRoute({
  operationId: "listMembers",
  tag: "Members",
  summary: "List members",
  auth: "session",
  response: z.array(Member),
  run: (ctx) => listMembers(ctx),
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
