import type { Tone } from "#components/ui/badge.tsx";
import type { ApiKey } from "#lib/contract/api-keys";

type KeyState = "active" | "replaced" | "revoked" | "expired";

export const keyStateTones: Record<KeyState, Tone> = {
  active: "good",
  replaced: "warn",
  revoked: "bad",
  expired: "warn",
};

type StatedKey = Pick<ApiKey, "name" | "createdAt" | "revokedAt" | "expiresAt">;

/**
 * Returns the state of a key. A rotated key is replaced by a newer one of the same name, and works until it expires.
 *
 * @param others all keys of the project
 */
export function keyState(key: StatedKey, others: readonly StatedKey[], now = Date.now()): KeyState {
  if (key.revokedAt !== null) return "revoked";
  if (key.expiresAt === null) return "active";
  if (Date.parse(key.expiresAt) <= now) return "expired";
  const isReplaced = others.some(({ name, createdAt }) => name === key.name && createdAt > key.createdAt);
  return isReplaced ? "replaced" : "active";
}

/** Converts a form date (`2026-12-31`) to the end of that day in UTC. An empty date means no expiry. */
export function endOfDay(date: unknown): string | undefined {
  return typeof date === "string" && date !== "" ? `${date.slice(0, 10)}T23:59:59Z` : undefined;
}

/** Returns a curl command for any POSIX shell. */
export function checkpointsCurl(origin: string, projectId: string, key: string): string {
  return `curl -H "X-API-Key: ${key}" ${origin}/api/v1/projects/${projectId}/checkpoints`;
}
