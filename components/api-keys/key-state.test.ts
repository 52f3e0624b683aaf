import { describe, expect, it } from "vitest";
import { CreateApiKey } from "#lib/contract/api-keys";
import { endOfDay, keyState } from "./key-state.ts";

const now = Date.parse("2026-06-01T12:00:00Z");

const key = { name: "app", createdAt: "2026-04-01T00:00:00Z", revokedAt: null, expiresAt: null };

describe("keyState", () => {
  it("reports a revoked key as revoked, regardless of its expiry", () => {
    const revoked = { ...key, revokedAt: "2026-05-01T00:00:00Z", expiresAt: "2027-01-01T00:00:00Z" };
    expect(keyState(revoked, [revoked], now)).toBe("revoked");
  });

  it("reports a key as expired from the exact time of expiry", () => {
    const until = (expiresAt: string | null) => keyState({ ...key, expiresAt }, [key], now);
    expect(until("2026-06-01T12:00:00Z")).toBe("expired");
    expect(until("2026-06-01T12:00:01Z")).toBe("active");
    expect(until(null)).toBe("active");
  });

  it("reports a rotated key as replaced while it still works", () => {
    const rotated = { ...key, expiresAt: "2026-06-02T12:00:00Z" };
    const newer = { ...key, createdAt: "2026-06-01T11:00:00Z" };
    expect(keyState(rotated, [newer, rotated], now)).toBe("replaced");
    expect(keyState(newer, [newer, rotated], now)).toBe("active");
    expect(keyState(rotated, [{ ...newer, name: "other" }, rotated], now)).toBe("active");
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
