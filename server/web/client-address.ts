import type { IncomingHttpHeaders } from "node:http";

/** Header in which the handlers find the caller's address; what a caller sends in it is overwritten. */
export const clientAddressHeader = "x-client-address";

/**
 * The caller's address: the socket's, or behind N trusted proxies the one that the outermost of them saw, which is the
 * Nth entry of `X-Forwarded-For` counted from its end. Entries further left are the caller's own words.
 */
export function clientAddress(
  headers: IncomingHttpHeaders,
  socketAddress: string | undefined,
  trustedProxies: number,
): string {
  const path = [...forwardedFor(headers), socketAddress ?? ""];
  const seen = path[Math.max(0, path.length - 1 - trustedProxies)] ?? "";
  return seen.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "") || "unknown";
}

function forwardedFor({ "x-forwarded-for": entries }: IncomingHttpHeaders): string[] {
  if (entries === undefined) return [];
  return String(entries)
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
