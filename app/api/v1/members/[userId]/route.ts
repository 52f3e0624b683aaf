import { defineRoute } from "#lib/api/define-route";
import { MemberPath } from "#lib/api/path-params";
import { Member, UpdateMember } from "#lib/contract/members";
import { deleteMember } from "#lib/domain/users/delete-member";
import { updateMember } from "#lib/domain/users/update-member";

export const PATCH = defineRoute({
  operationId: "updateMember",
  tag: "Members",
  summary: "Change a member's name, role or password, or disable them",
  description:
    "A new password, or being disabled, ends the member's sessions. Nobody disables themselves or the last admin.",
  auth: "admin",
  params: MemberPath,
  body: UpdateMember,
  response: Member,
  etag: true,
  ifMatch: true,
  run: (ctx, { params, body }) => updateMember(ctx, { ...params, change: body }),
});

export const DELETE = defineRoute({
  operationId: "deleteMember",
  tag: "Members",
  summary: "Remove a member",
  description: "Answers with the member that was removed. Nobody removes themselves or the last admin.",
  auth: "admin",
  params: MemberPath,
  response: Member,
  ifMatch: true,
  errors: ["validation_failed"],
  run: (ctx, { params }) => deleteMember(ctx, params),
});
