import { describe, expect, it } from "vitest";
import { CreateApiKey } from "#lib/contract/api-keys";
import { endOfDay, keyState } from "./key-state.ts";

const now = Date.parse("2026-06-01T12:00:00Z");

describe("keyState", () => {
  it("reports a revoked key as revoked, regardless of its expiry", () => {
    expect(keyState({ revokedAt: "2026-05-01T00:00:00Z", expiresAt: "2027-01-01T00:00:00Z" }, now)).toBe(
      "revoked",
    );
  });

  it("reports a key as expired from the exact time of expiry", () => {
    expect(keyState({ revokedAt: null, expiresAt: "2026-06-01T12:00:00Z" }, now)).toBe("expired");
    expect(keyState({ revokedAt: null, expiresAt: "2026-06-01T12:00:01Z" }, now)).toBe("active");
    expect(keyState({ revokedAt: null, expiresAt: null }, now)).toBe("active");
  });
});

describe("endOfDay", () => {
  it("sets the expiry to the end of the chosen day, in the API's format", () => {
    const expiresAt = endOfDay("2026-12-31");
    expect(expiresAt).toBe("2026-12-31T23:59:59Z");
    expect(CreateApiKey.safeParse({ name: "a", expiresAt }).success).toBe(true);
    expect(endOfDay("")).toBeUndefined();
  });
});
