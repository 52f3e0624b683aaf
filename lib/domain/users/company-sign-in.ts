import { AsyncLocalStorage } from "node:async_hooks";
import { genericOAuth } from "better-auth/plugins";
import { environment, type OidcSettings } from "#lib/platform/config/environment";
import { database } from "#lib/platform/database/process-database";
import { standardError } from "#lib/platform/errors/standard-error";
import { perProcess } from "#lib/platform/process/per-process";
import { createAuth } from "./auth.ts";
import { type LibraryCall, passToLibrary } from "./call-auth-library.ts";
import {
  CompanyRejected,
  type CompanyRejection,
  companyAccountId,
  companyMember,
  companyProvider,
} from "./company-member.ts";

/** The sign-in in progress: the library calls back with the profile, and asks later whether it is permitted. */
type SignIn = { requestId: string; rejection?: CompanyRejection };
const signingIn = new AsyncLocalStorage<SignIn>();

/** Page that shows why a sign-in failed. */
const failurePage = "/login";

const redirect = (location: string, cookies: readonly string[] = []) => {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(null, { status: 302, headers });
};

const unreachable = () => redirect(`${failurePage}?error=provider_unreachable`);

/**
 * Configures the library for the company's provider. The library keeps the protocol (state, PKCE, nonce, signature of the ID
 * token); members are created and linked by `companyMember`, in one transaction with the audit log. So the library always finds
 * the account that it looks for.
 */
function createCompanyAuth(settings: OidcSettings) {
  return createAuth({
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: companyProvider,
            discoveryUrl: `${settings.issuer}/.well-known/openid-configuration`,
            clientId: settings.clientId,
            clientSecret: settings.clientSecret,
            scopes: ["openid", "email", "profile"],
            requireIdTokenVerification: true,
            disableSignUp: true,
            accountSubject: ({ profile }) => companyAccountId(settings.issuer, profile),
            mapProfileToUser: async (profile) => {
              await prepareMember(settings, profile);
              return {};
            },
          },
        ],
      }),
    ],
    validateUserInfo: () => rejection(),
    // No token of the provider is stored. The state is in an encrypted cookie, so a visitor cannot fill a table.
    account: { updateAccountOnSignIn: false, storeStateStrategy: "cookie" },
  });
}

async function prepareMember(
  settings: OidcSettings,
  profile: Readonly<Record<string, unknown>>,
): Promise<void> {
  const current = signingIn.getStore()!;
  try {
    await companyMember(database(), settings, profile, current.requestId);
  } catch (error) {
    if (!(error instanceof CompanyRejected)) throw error;
    current.rejection = error.reason;
  }
}

const rejection = () => {
  const reason = signingIn.getStore()?.rejection;
  return reason && { error: reason };
};

type CompanyAuth = ReturnType<typeof createCompanyAuth>;
const library = perProcess("companyAuthOfProcess", () => ({ current: null as CompanyAuth | null }));

/**
 * Returns the library once it knows the provider's addresses and keys. The library asks the provider only when it is
 * created, so it is created again until the provider has answered.
 *
 * @returns null if the provider does not answer
 * @throws {DomainError} not_found without a provider
 */
async function companyAuth(): Promise<CompanyAuth | null> {
  const settings = environment().oidc;
  if (settings === null) throw standardError("not_found");
  const held = library();
  const auth = held.current ?? createCompanyAuth(settings);
  const { socialProviders } = await auth.$context;
  if (!socialProviders.some(({ id }) => id === companyProvider)) return null;
  held.current = auth;
  return auth;
}

/**
 * Starts a sign-in by the company's provider.
 *
 * @param next page of this service to show afterwards
 * @returns a redirect to the provider, with the cookie that ties its answer to this browser
 */
export async function startCompanySignIn(caller: LibraryCall, next: string): Promise<Response> {
  const auth = await companyAuth();
  if (auth === null) return unreachable();
  const response = await passToLibrary("POST", "/sign-in/social", caller, {
    auth,
    body: { provider: companyProvider, callbackURL: next, errorCallbackURL: failurePage },
  });
  if (!response.ok) throw new Error(`The sign-in library answered ${response.status}`);
  const { url } = (await response.json()) as { url: string };
  return redirect(url, response.headers.getSetCookie());
}

/**
 * Ends a sign-in with the provider's answer.
 *
 * @param query of the provider's redirect: code and state, or an error
 * @returns a redirect to the requested page, with the session cookie; or to the sign-in page, with the reason as `error`
 */
export async function finishCompanySignIn(
  caller: LibraryCall & { requestId: string },
  query: URLSearchParams,
): Promise<Response> {
  const auth = await companyAuth();
  if (auth === null) return unreachable();
  const path = `/callback/${companyProvider}?${query}`;
  const current: SignIn = { requestId: caller.requestId };
  const response = await signingIn.run(current, () => passToLibrary("GET", path, caller, { auth }));
  return current.rejection === undefined ? response : redirect(`${failurePage}?error=${current.rejection}`);
}
