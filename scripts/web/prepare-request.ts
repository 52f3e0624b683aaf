import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { browserRealtime } from "#lib/config/browser-realtime";
import type { Environment } from "#lib/config/environment";
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
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");

/** Whatever a browser may take an answer of the API for, it may load nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Puts into a request what only the server in front of Next.js can know, and the security headers into its response.
 * Next.js takes the nonce for its own scripts out of the request's policy; pages find it in `x-nonce`.
 */
export function prepareRequest(
  request: IncomingMessage,
  response: ServerResponse,
  environment: Pick<Environment, "pusher" | "trustedProxies">,
  dev: boolean,
): void {
  const { headers } = request;
  request.url = pathOf(request.url ?? "/");
  headers[clientAddressHeader] = clientAddress(
    headers,
    request.socket.remoteAddress,
    environment.trustedProxies,
  );
  if (environment.trustedProxies === 0) for (const name of forwardedHeaders) delete headers[name];

  const policy = request.url.startsWith("/api/") ? apiPolicy : pagePolicy(headers, environment, dev);
  headers["content-security-policy"] = policy;
  // Pages ask for it when somebody has to sign in first.
  headers["x-requested-path"] = request.url;
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  response.setHeader("Referrer-Policy", "strict-origin-when-cross-origin");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  if (headers["x-forwarded-proto"] === "https") {
    response.setHeader("Strict-Transport-Security", "max-age=31536000");
  }
}

/** With a nonce that only this answer has, put into the request as well. */
function pagePolicy(
  headers: IncomingHttpHeaders,
  { pusher }: Pick<Environment, "pusher">,
  dev: boolean,
): string {
  const nonce = randomBytes(16).toString("base64");
  headers["x-nonce"] = nonce;
  const realtime = pusher ? browserRealtime(pusher, headers.host ?? "") : null;
  return contentSecurityPolicy({ nonce, realtime, dev });
}
