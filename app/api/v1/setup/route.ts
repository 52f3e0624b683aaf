import { defineRoute } from "#lib/api/define-route";
import { FirstAdmin, Member } from "#lib/contract/members";
import { createFirstAdmin } from "#lib/domain/users/create-user";
import { presentMember } from "#lib/domain/users/present";
import { standardError } from "#lib/platform/errors/standard-error";

export const POST = defineRoute({
  operationId: "createFirstAdmin",
  tag: "Members",
  summary: "Create the first admin",
  description: "Available only until the first user exists. Afterwards returns 404 `not_found`.",
  auth: "public",
  body: FirstAdmin,
  response: Member,
  status: 201,
  etag: true,
  errors: ["forbidden", "not_found"],
  records: ["member.created"],
  async run(ctx, { body }) {
    const admin = await createFirstAdmin(ctx, body);
    if (!admin) throw standardError("not_found");
    return presentMember(admin);
  },
});
