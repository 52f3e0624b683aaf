import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setEnvironment } from "#testing/set-environment";
import { isPublicAddress, requirePublicUrl } from "./public-address.ts";

const privateAddresses = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:0:7f00:1::",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
];
const publicAddresses = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "172.32.0.1",
  "2606:4700::1111",
  "2a00:1450::1",
];

describe("isPublicAddress", () => {
  it.each(privateAddresses)("rejects %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(publicAddresses)("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it("rejects every form of an IPv6 address that leads to an IPv4 address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number];
        const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
        const forms = ["::ffff:", "::", "::ffff:0:", "64:ff9b::"].map((prefix) => `${prefix}${high}:${low}`);
        for (const form of [...forms, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::`]) {
          expect([form, isPublicAddress(form)]).toEqual([form, false]);
        }
      }),
    );
  });

  it("rejects every address in a private block", () => {
    const byte = fc.nat(255);
    const inBlock = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    );
    fc.assert(fc.property(inBlock, (bytes) => !isPublicAddress(bytes.join("."))));
  });

  it("rejects what is not an address", () => {
    for (const text of ["", "example.com", "127.1", "0x7f.1", "1.1.1.1 "])
      expect(isPublicAddress(text)).toBe(false);
  });
});

describe("requirePublicUrl", () => {
  it.each([
    "http://localhost/",
    "http://LOCALHOST:3000/",
    "http://localhost./",
    "http://a.localhost/",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://0/",
    "http://①②⑦.0.0.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "https://10.1.2.3:8443/hooks",
  ])("rejects %s", (url) => {
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "0" });
    expect(() => requirePublicUrl(url)).toThrow("The address is private.");
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "1" });
    expect(() => requirePublicUrl(url)).not.toThrow();
  });

  it.each([
    "https://example.com/hooks",
    "http://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://localhost.example.com/",
  ])("accepts %s", (url) => {
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "0" });
    expect(() => requirePublicUrl(url)).not.toThrow();
  });
});
