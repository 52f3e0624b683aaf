import { isIPv6 } from "node:net";

/**
 * Returns the part of an address that limits count: an IPv4 address, or the /64 of an IPv6 address. Networks assign a
 * /64 to each customer, who can use all its addresses.
 */
export function networkOf(address: string): string {
  const [plain] = address.split("%");
  if (plain === undefined || !isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  // IPv4 addresses in the notation of IPv6.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff)
    return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser spells IPv4 parts as groups.
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const parse = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail ?? "")];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}
