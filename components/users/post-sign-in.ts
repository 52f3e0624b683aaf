import type { ErrorBody } from "#lib/contract/common";
import { counted } from "#lib/contract/counted";

/** Posts to a route of `/api/auth`. Returns null on success, or the error message; replaces messages written for programs. */
export async function postSignIn(
  path: "sign-in/email" | "request-password-reset" | "reset-password",
  body: object,
): Promise<string | null> {
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (response?.ok) return null;
  if (response?.status === 429) {
    const minutes = Math.max(1, Math.ceil(Number(response.headers.get("retry-after")) / 60));
    return `Too many attempts. Try again in ${counted(minutes, "minute")}.`;
  }
  const answer = (await response?.json().catch(() => null)) as ErrorBody | null | undefined;
  return answer?.error?.message ?? "The service did not respond. Try again in a moment.";
}
