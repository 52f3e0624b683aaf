import type { Database } from "#db/client";
import type { ApiRequest } from "#lib/api/api-request";
import { findLeasedKey } from "#lib/api-keys/key-leases";
import type { Actor } from "#lib/context/context";
import { isWellFormedKey } from "#lib/domain/api-keys/key-format";
import { clientAddressHeader } from "#lib/domain/users/auth";
import { carriesSession } from "#lib/domain/users/session-cookie";
import { sessionUser } from "#lib/domain/users/sessions";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { countFailure } from "#lib/platform/rate-limits/failed-authentications";
import { refuseForeignPage } from "./origin.ts";
import { rateLimited } from "./rate-limit.ts";

/** `existingProject`: the key's, found on the way; null for a session, and for a key whose project is being deleted. */
export type Caller = { actor: Actor; existingProject: string | null };

/**
 * Who is calling: the key, where the header `X-API-Key` is there, else the session of the cookie.
 *
 * @throws {DomainError} `api_key_missing`, `api_key_invalid` (for every reason the same words), `session_required`,
 *   `forbidden` for a change that another site's page asks for by the user's cookie, `rate_limited` for an address that
 *   has sent too many wrong keys
 */
export async function authenticate(request: ApiRequest, db: Database): Promise<Caller> {
  const key = request.headers.get("x-api-key");
  if (key !== null) {
    const found = await findLeasedKey(db, key);
    if (!found) throw await refuseKey(request, db, key);
    const { id: apiKeyId, createdBy: userId, projectId } = found;
    const actor = { kind: "api-key", userId, apiKeyId, projectId } as const;
    return { actor, existingProject: found.projectIsThere ? projectId : null };
  }
  if (!carriesSession(request.headers)) throw standardError("api_key_missing");
  const user = await sessionUser(request.headers);
  if (!user) throw new DomainError("session_required", "The session has ended. Sign in again.");
  refuseForeignPage(request);
  return { actor: { kind: "session", userId: user.id, role: user.role }, existingProject: null };
}

/** In the same words for every reason; after too many of them from an address, not even that. */
async function refuseKey(request: ApiRequest, db: Database, key: string): Promise<DomainError> {
  const address = request.headers.get(clientAddressHeader) ?? "unknown";
  const state = await countFailure(isWellFormedKey(key) ? db : null, address);
  return state.allowed ? standardError("api_key_invalid") : rateLimited(state);
}
