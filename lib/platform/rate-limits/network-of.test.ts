import fc from "fast-check";
import { expect, test } from "vitest";
import { networkOf } from "./network-of.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("counts %s as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("counts all addresses of a /64 as one, and those of others apart", () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.array(fc.nat(0xff_ff), { minLength: 4, maxLength: 4 }), (address, rest) => {
      const network = networkOf(address);
      if (!network.endsWith("::/64")) return;
      const prefix = network.replace("::/64", "");
      const groups = rest.map((group) => group.toString(16)).join(":");
      expect(networkOf(`${prefix}:${groups}`)).toBe(
        prefix === "0:0:0:0" ? networkOf(`::${groups}`) : network,
      );
    }),
  );
});
