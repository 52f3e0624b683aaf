import { BlockList, isIP } from "node:net";

/** Returns true if an address is among addresses and networks such as `192.0.2.7`, `10.0.0.0/8` and `2001:db8::/32`. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const family = familyOf(address);
  if (family === null) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [base, bits] = network.split("/") as [string, string?];
    const ofBase = familyOf(base);
    if (ofBase === null) continue;
    if (bits === undefined) list.addAddress(base, ofBase);
    else list.addSubnet(base, Number(bits), ofBase);
  }
  return list.check(address, family);
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  return version === 0 ? null : `ipv${version as 4 | 6}`;
}
