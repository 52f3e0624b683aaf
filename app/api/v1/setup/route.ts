import { defineRoute } from "#lib/api/define-route";
import { FirstAdmin, Member } from "#lib/contract/members";
import { presentMember } from "#lib/domain/users/present";
import { standardError } from "#lib/platform/errors/standard-error";
import { createFirstAdmin } from "#lib/users/create-first-admin";

export const POST = defineRoute({
  operationId: "createFirstAdmin",
  tag: "Members",
  summary: "Create the first admin",
  description: "Works once, while nobody can sign in yet; afterwards there is nothing at this address.",
  auth: "public",
  body: FirstAdmin,
  response: Member,
  status: 201,
  errors: ["not_found"],
  async run(ctx, { body }) {
    const admin = await createFirstAdmin(ctx, body);
    if (!admin) throw standardError("not_found");
    return presentMember(admin);
  },
});
