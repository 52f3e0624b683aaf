import type { Tone } from "#components/ui/badge.tsx";
import type { ApiKey } from "#lib/contract/api-keys";

type KeyState = "active" | "revoked" | "expired";

export const keyStateTones: Record<KeyState, Tone> = { active: "good", revoked: "bad", expired: "warn" };

export function keyState(key: Pick<ApiKey, "revokedAt" | "expiresAt">, now = Date.now()): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= now ? "expired" : "active";
}

/** Converts a form date (`2026-12-31`) to the end of that day in UTC. An empty date means no expiry. */
export function endOfDay(date: unknown): string | undefined {
  return typeof date === "string" && date !== "" ? `${date.slice(0, 10)}T23:59:59Z` : undefined;
}

/** Returns a curl command for any POSIX shell. */
export function checkpointsCurl(origin: string, projectId: string, key: string): string {
  return `curl -H "X-API-Key: ${key}" ${origin}/api/v1/projects/${projectId}/checkpoints`;
}
