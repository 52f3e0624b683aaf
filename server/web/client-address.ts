import type { IncomingHttpHeaders } from "node:http";

/**
 * Returns the caller's address: without proxies, the address of the socket. Behind N trusted proxies, the address that
 * the outermost of them saw: the Nth entry of `X-Forwarded-For` from its end. The caller may forge entries before it.
 */
export function clientAddress(
  headers: IncomingHttpHeaders,
  socketAddress: string | undefined,
  trustedProxies: number,
): string {
  const path = [...forwardedFor(headers), socketAddress ?? ""];
  const seen = path[Math.max(0, path.length - 1 - trustedProxies)] ?? "";
  return withoutPort(seen).replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "") || "unknown";
}

/** Removes the port that some proxies add. With it, each connection of a caller would count as another address. */
function withoutPort(entry: string): string {
  const [, v4, v6] = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[(.+)\](?::\d+)?)$/.exec(entry) ?? [];
  return v4 ?? v6 ?? entry;
}

function forwardedFor({ "x-forwarded-for": entries }: IncomingHttpHeaders): string[] {
  if (entries === undefined) return [];
  return String(entries)
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
