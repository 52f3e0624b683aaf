import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { browserRealtime } from "#lib/platform/config/browser-realtime";
import type { Environment } from "#lib/platform/config/environment";
import { clientAddress, clientAddressHeader } from "./client-address.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const forwardedHeaders = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
];

/** RFC 9112, section 3.2.2: a server takes the absolute form of an address as well. */
const pathOf = (url: string) => (url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, "/"));

/** Whatever a browser may take an answer of the API for, it may load nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Puts into a request what only the server in front of Next.js can know. Next.js takes the nonce for its own scripts out of
 * the request's policy; pages find it in `x-nonce`.
 *
 * @returns the security headers of its answer: names and values in turn
 */
export function prepareRequest(
  request: IncomingMessage,
  environment: Pick<Environment, "pusher" | "trustedProxies">,
  dev: boolean,
): string[] {
  const { headers } = request;
  request.url = pathOf(request.url ?? "/");
  headers[clientAddressHeader] = clientAddress(
    headers,
    request.socket.remoteAddress,
    environment.trustedProxies,
  );
  if (environment.trustedProxies === 0) {
    for (const name of forwardedHeaders) if (headers[name] !== undefined) delete headers[name];
  }

  const policy = request.url.startsWith("/api/")
    ? apiPolicy
    : preparePage(request.url, headers, environment, dev);
  const isSecure = headers["x-forwarded-proto"] === "https";
  return ["Content-Security-Policy", policy, ...(isSecure ? strictlySecure : sameForAll)];
}

const sameForAll = [
  ...["X-Content-Type-Options", "nosniff"],
  ...["X-Frame-Options", "DENY"],
  ...["Referrer-Policy", "strict-origin-when-cross-origin"],
  ...["Cross-Origin-Opener-Policy", "same-origin"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
  ...["Permissions-Policy", "camera=(), geolocation=(), microphone=()"],
];
const strictlySecure = [...sameForAll, "Strict-Transport-Security", "max-age=31536000"];

export function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

/** @returns the policy of its answer, with a nonce that only this one has */
function preparePage(
  url: string,
  headers: IncomingHttpHeaders,
  { pusher }: Pick<Environment, "pusher">,
  dev: boolean,
): string {
  const nonce = randomBytes(16).toString("base64");
  headers["x-nonce"] = nonce;
  // Asked for when somebody has to sign in first.
  headers["x-requested-path"] = url;
  const realtime = pusher ? browserRealtime(pusher, headers.host ?? "") : null;
  const policy = contentSecurityPolicy({ nonce, realtime, dev });
  headers["content-security-policy"] = policy;
  return policy;
}
