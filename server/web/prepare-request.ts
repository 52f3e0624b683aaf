import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { browserRealtime } from "#lib/platform/config/browser-realtime";
import type { Environment } from "#lib/platform/config/environment";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import { clientAddress } from "./client-address.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const forwardedHeaders = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
];

/** Returns the path of a request target. A server must also accept the absolute form (RFC 9112, section 3.2.2). */
const pathOf = (url: string) => (url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, "/"));

/**
 * Returns an address that Next.js can decode, because it answers others with 500. For those, it is the address of no page,
 * so that the answer is 404.
 */
function decodable(url: string): string {
  const path = url.split("?", 1)[0]!;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return `/${encodeURIComponent(path)}`;
  }
}

/** Policy of API responses. A browser that mistakes one for a page loads nothing from it. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Adds headers to a request that only this server may set, and removes those of untrusted proxies.
 * Next.js reads the nonce for its own scripts from the request's policy; pages read it from `x-nonce`.
 *
 * @returns the security headers of the answer: alternating names and values
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

  const isCall = request.url.startsWith("/api/");
  // The router of Next.js would redirect an API call with this header.
  if (isCall && headers.rsc !== undefined) delete headers.rsc;
  if (!isCall) request.url = decodable(request.url);
  const policy = isCall ? apiPolicy : preparePage(request.url, headers, environment, dev);
  const isSecure = headers["x-forwarded-proto"] === "https";
  return ["Content-Security-Policy", policy, ...(isSecure ? httpsHeaders : commonHeaders)];
}

const commonHeaders = [
  ...["X-Content-Type-Options", "nosniff"],
  ...["X-Frame-Options", "DENY"],
  ...["Referrer-Policy", "strict-origin-when-cross-origin"],
  ...["Cross-Origin-Opener-Policy", "same-origin"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
  ...["Permissions-Policy", "camera=(), geolocation=(), microphone=()"],
];
const httpsHeaders = [...commonHeaders, "Strict-Transport-Security", "max-age=31536000"];

export function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

/** Adds the headers that pages read. Returns the policy of the answer, with a new nonce. */
function preparePage(
  url: string,
  headers: IncomingHttpHeaders,
  { pusher }: Pick<Environment, "pusher">,
  dev: boolean,
): string {
  const nonce = randomBytes(16).toString("base64");
  headers["x-nonce"] = nonce;
  // After a sign-in, the user returns to this path.
  headers["x-requested-path"] = url;
  const realtime = pusher ? browserRealtime(pusher, headers.host ?? "") : null;
  const policy = contentSecurityPolicy({ nonce, realtime, dev });
  headers["content-security-policy"] = policy;
  return policy;
}
