import { defineRoute } from "#lib/api/define-route";
import { MemberPath } from "#lib/api/path-params";
import { DeleteMemberQuery, Member, UpdateMember } from "#lib/contract/members";
import { deleteMember } from "#lib/domain/members/delete-member";
import { updateMember } from "#lib/domain/members/update-member";
import { getMember } from "#lib/domain/users/members";

export const GET = defineRoute({
  operationId: "getMember",
  tag: "Members",
  summary: "Get a member",
  auth: "admin",
  params: MemberPath,
  response: Member,
  etag: true,
  run: (ctx, { params }) => getMember(ctx, params),
});

export const PATCH = defineRoute({
  operationId: "updateMember",
  tag: "Members",
  summary: "Update a member",
  description:
    "Changes the name, role or password, or disables the member. A new password or disabling the member ends the member's sessions; a new password also ends known devices. Admins cannot disable themselves, and change their own password by `POST /me/password`, which asks for the current one. The last admin cannot be disabled.",
  auth: "admin",
  params: MemberPath,
  body: UpdateMember,
  response: Member,
  etag: true,
  ifMatch: true,
  records: ["member.updated?", "member.disabled?", "member.enabled?"],
  run: (ctx, { params, body }) => updateMember(ctx, { ...params, change: body }),
});

export const DELETE = defineRoute({
  operationId: "deleteMember",
  tag: "Members",
  summary: "Remove a member",
  description:
    "Returns the removed member. API keys that the member created stay valid, unless `revokeApiKeys` is `true`. Admins cannot remove themselves. The last admin cannot be removed.",
  auth: "admin",
  params: MemberPath,
  query: DeleteMemberQuery,
  response: Member,
  ifMatch: true,
  errors: ["validation_failed"],
  records: ["member.deleted", "api-key.revoked?"],
  run: (ctx, { params, query }) =>
    deleteMember(ctx, { ...params, revokeApiKeys: query.revokeApiKeys === "true" }),
});
