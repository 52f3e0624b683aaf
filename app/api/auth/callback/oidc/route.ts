import { z } from "zod";
import { publicOrigin } from "#lib/api/caller/origin";
import { defineRoute } from "#lib/api/define-route";
import { finishCompanySignIn } from "#lib/domain/users/company-sign-in";

export const GET = defineRoute({
  operationId: "finishCompanySignIn",
  tag: "Sign-in",
  summary: "Return from the company's sign-in",
  description: "Redirect address to register with the provider. Starts the session, or shows why not.",
  auth: "public",
  query: z.looseObject({
    state: z.string().max(1_000).optional().describe("State of the sign-in, as the service sent it."),
    code: z.string().max(4_000).optional().describe("Authorization code of the provider."),
    error: z.string().max(200).optional().describe("Reason of the provider for a failed sign-in."),
  }),
  status: 302,
  errors: ["not_found"],
  run({ requestId }, { request }) {
    const caller = { headers: new Headers([...request.headers]), origin: publicOrigin(request), requestId };
    return finishCompanySignIn(caller, new URL(request.url).searchParams);
  },
});
