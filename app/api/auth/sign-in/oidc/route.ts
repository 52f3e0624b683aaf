import { z } from "zod";
import { publicOrigin } from "#lib/api/caller/origin";
import { defineRoute } from "#lib/api/define-route";
import { localPath } from "#lib/contract/local-path";
import { startCompanySignIn } from "#lib/domain/users/company-sign-in";

export const GET = defineRoute({
  operationId: "startCompanySignIn",
  tag: "Sign-in",
  summary: "Sign in with the company's account",
  description:
    "Redirects the browser to the company's OpenID Connect provider, if the service is configured for one. The provider sends the browser back to `/api/auth/callback/oidc`.",
  auth: "public",
  query: z.object({
    next: z
      .string()
      .max(2_000)
      .optional()
      .describe("Page of this service to show after the sign-in. Default: the projects."),
  }),
  status: 302,
  errors: ["not_found"],
  run: (_ctx, { request, query }) =>
    startCompanySignIn(
      { headers: new Headers([...request.headers]), origin: publicOrigin(request) },
      localPath(query.next, "/projects"),
    ),
});
