import fc from "fast-check";
import { expect, test } from "vitest";
import { isInNetworks } from "./is-in-networks.ts";

test("finds addresses in networks as the bits of IPv4 say", () => {
  const address = fc.nat({ max: 2 ** 32 - 1 });
  const textOf = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
  fc.assert(
    fc.property(
      address,
      address,
      fc.nat({ max: 31 }),
      fc.integer({ min: 0, max: 32 }),
      (base, other, flipped, length) => {
        const network = `${textOf(base)}/${length}`;
        const mask = length === 0 ? 0 : (2 ** 32 - 2 ** (32 - length)) >>> 0;
        for (const one of [other, (base ^ (1 << flipped)) >>> 0, base])
          expect(isInNetworks(textOf(one), [network])).toBe((one & mask) === (base & mask));
      },
    ),
  );
});

test("compares addresses of both versions, and finds no unknown address", () => {
  expect(isInNetworks("2001:db8::7", ["10.0.0.0/8", "2001:DB8::/32"])).toBe(true);
  expect(isInNetworks("2001:db9::7", ["10.0.0.0/8", "2001:db8::/32"])).toBe(false);
  expect(isInNetworks("2001:db8:0:0::7", ["2001:db8::7"])).toBe(true);
  expect(isInNetworks("192.0.2.7", ["192.0.2.7"])).toBe(true);
  expect(isInNetworks("192.0.2.8", ["192.0.2.7"])).toBe(false);
  expect(isInNetworks("unknown", ["0.0.0.0/0", "::/0"])).toBe(false);
});
