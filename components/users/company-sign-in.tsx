import { ButtonAnchor } from "#components/ui/button.tsx";

/** Reasons for a failed sign-in at the company's provider: the service's own, then the library's. */
const reasons: Readonly<Record<string, string>> = {
  group_not_permitted: "Your company account is in no group that may use this service. Ask an admin.",
  email_missing: "The company's sign-in sent no email address. Ask an admin.",
  email_not_verified: "The company's sign-in does not vouch for your email address. Ask an admin.",
  account_disabled: "An admin has disabled your account.",
  setup_first: "The service has no admin yet. An admin has to sign in first.",
  provider_unreachable: "The company's sign-in does not respond. Try again in a minute.",
  access_denied: "The sign-in was cancelled.",
  state_mismatch: "The sign-in took too long, or began in another browser. Try again.",
};

/** Returns the message for the `error` of the address; undefined without one. */
export function companySignInError(error: unknown): string | undefined {
  if (typeof error !== "string" || error === "") return undefined;
  return reasons[error] ?? "The sign-in with the company account failed. Try again, or ask an admin.";
}

/** Link to the company's provider. */
export function CompanySignIn({ name, next }: { name: string; next: string }) {
  return (
    <ButtonAnchor
      href={`/api/auth/sign-in/oidc?next=${encodeURIComponent(next)}`}
      look="primary"
      className="w-full"
    >
      Sign in with {name}
    </ButtonAnchor>
  );
}
