import { BlockList, isIP } from "node:net";
import { environment } from "#lib/platform/config/environment";
import { issueError } from "#lib/platform/errors/domain-error";

/** IPv4 blocks that are not globally reachable (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const notPublic4 = blocksOf("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // Shared by carriers.
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // Link-local, with the metadata of cloud machines.
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // Multicast.
  ["240.0.0.0", 4],
]);

/** Global unicast. All else is local, multicast, or leads to an IPv4 address (mapped, NAT64). */
const global6 = blocksOf("ipv6", [["2000::", 3]]);
const notPublic6 = blocksOf("ipv6", [
  ["2001::", 23], // Protocols such as Teredo, which leads to an IPv4 address.
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4, which leads to an IPv4 address.
  ["3fff::", 20],
]);

function blocksOf(family: "ipv4" | "ipv6", blocks: readonly [string, number][]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of blocks) list.addSubnet(address, bits, family);
  return list;
}

/** Returns whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic4.check(address, "ipv4");
  // An address with a zone, such as fe80::1%eth0, is local.
  if (family !== 6 || address.includes("%")) return false;
  return global6.check(address, "ipv6") && !notPublic6.check(address, "ipv6");
}

/** Returns the host of a URL as a name or an IP address. `new URL` converts forms such as 127.1 and 0x7f000001. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, "");

/**
 * Rejects an address that is private as it stands. Names are resolved before each request.
 *
 * @throws {DomainError} `validation_failed`
 */
export function requirePublicUrl(text: string): void {
  const host = hostOf(new URL(text));
  const isPrivate = isIP(host) ? !isPublicAddress(host) : /(^|\.)localhost$/.test(host);
  if (!isPrivate || environment().webhooksAllowPrivate) return;
  const message =
    "The address is private. Use an address in a public network, or ask the operator to set WEBHOOKS_ALLOW_PRIVATE=1.";
  throw issueError("validation_failed", { field: "url", value: host, code: "private_address", message });
}
