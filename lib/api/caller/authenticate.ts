import type { Database } from "#db/client";
import type { ApiRequest } from "#lib/api/api-request";
import { scopes as allScopes, type Scope } from "#lib/contract/api-keys";
import { isInNetworks } from "#lib/domain/api-keys/is-in-networks";
import { isWellFormedKey } from "#lib/domain/api-keys/key-format";
import { findLeasedKey } from "#lib/domain/api-keys/key-leases";
import { carriesSession } from "#lib/domain/users/session-cookie";
import { sessionUser } from "#lib/domain/users/sessions";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import type { Actor } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { countFailure } from "#lib/platform/rate-limits/failed-authentications";
import { networkOf } from "#lib/platform/rate-limits/network-of";
import { rateLimitedError } from "#lib/platform/rate-limits/rate-limited-error";
import { rejectCrossOrigin } from "./origin.ts";

/**
 * `existingProjectId`: project of the key, found during authentication. null for a session, and for a key whose project
 * is being deleted. `scopes`: of the key; all for a session.
 */
export type Caller = { actor: Actor; existingProjectId: string | null; scopes: readonly Scope[] };

/**
 * Authenticates the caller: by the key in the header `X-API-Key` if present, else by the session cookie.
 *
 * @throws {DomainError} `api_key_missing`, `api_key_invalid` (the same message for every reason), `session_required`,
 *   `forbidden` for a change with a session cookie from another origin, and for an address that may not use the key, `rate_limited` for an address with too many failed
 *   authentications
 */
export async function authenticate(request: ApiRequest, db: Database): Promise<Caller> {
  const key = request.headers.get("x-api-key");
  if (key !== null) {
    const leased = await findLeasedKey(db, key);
    if (!leased) throw await rejectedKeyError(request, db, key);
    await requireAllowedAddress(request, db, leased.allowedAddresses);
    const { id: apiKeyId, createdBy: userId, projectId, scopes } = leased;
    const actor = { kind: "api-key", userId, apiKeyId, projectId } as const;
    return { actor, existingProjectId: leased.projectIsThere ? projectId : null, scopes };
  }
  if (!carriesSession(request.headers)) throw standardError("api_key_missing");
  const user = await sessionUser(request.headers);
  if (!user) throw new DomainError("session_required", "The session has ended. Sign in again.");
  rejectCrossOrigin(request);
  const { id: userId, role, sessionId } = user;
  return { actor: { kind: "session", userId, role, sessionId }, existingProjectId: null, scopes: allScopes };
}

/** @throws {DomainError} `forbidden`, or `rate_limited` after too many failures from the address */
async function requireAllowedAddress(
  { headers }: ApiRequest,
  db: Database,
  allowed: readonly string[] | null,
): Promise<void> {
  if (allowed === null) return;
  const address = headers.get(clientAddressHeader) ?? "unknown";
  if (isInNetworks(address, allowed)) return;
  const state = await countFailure(db, networkOf(address));
  if (!state.allowed) throw rateLimitedError(state);
  throw new DomainError(
    "forbidden",
    `The key may not be used from ${address}. An admin of the project can create a key for this address.`,
  );
}

/** Returns the same error for every reason. After too many failures from an address, returns `rate_limited` instead. */
async function rejectedKeyError(request: ApiRequest, db: Database, key: string): Promise<DomainError> {
  const address = networkOf(request.headers.get(clientAddressHeader) ?? "unknown");
  // Keys of a wrong form are counted in this process only, because their rejection costs no query.
  const state = await countFailure(isWellFormedKey(key) ? db : null, address);
  return state.allowed ? standardError("api_key_invalid") : rateLimitedError(state);
}
