import { FirstAdmin, Member } from "#lib/contract/members";
import { standardError } from "#lib/errors/standard-error";
import { defineRoute } from "#lib/http/define-route";
import { createFirstAdmin } from "#lib/users/create-first-admin";
import { presentMember } from "#lib/users/present";

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
