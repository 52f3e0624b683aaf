import type { Database } from "#db/client";
import { findActiveKey } from "#lib/api-keys/find-key";
import type { Actor } from "#lib/context/context";
import { errorCodes } from "#lib/contract/error-codes";
import { DomainError } from "#lib/errors/domain-error";
import { carriesSession, sessionUser } from "#lib/users/session-user";
import { changesSomething, isSameOrigin } from "./origin.ts";

/**
 * Who is calling: the key, where the header `X-API-Key` is there, else the session of the cookie.
 *
 * @throws {DomainError} `api_key_missing`, `api_key_invalid` (for every reason the same words), `session_required`,
 *   `forbidden` for a change that another site's page asks for by the user's cookie
 */
export async function authenticate(request: Request, db: Database): Promise<Actor> {
  const key = request.headers.get("x-api-key");
  if (key !== null) {
    const found = await findActiveKey(db, key);
    if (!found) throw refusal("api_key_invalid");
    return { kind: "api-key", userId: found.createdBy, apiKeyId: found.id, projectId: found.projectId };
  }
  if (!carriesSession(request.headers)) throw refusal("api_key_missing");
  const user = await sessionUser(request.headers);
  if (!user) throw refusal("session_required");
  if (changesSomething(request) && !isSameOrigin(request)) {
    const message = "A change by a session's cookie must come from the service's own pages (header Origin).";
    throw new DomainError("forbidden", message);
  }
  return { kind: "session", userId: user.id, role: user.role };
}

function refusal(code: "api_key_missing" | "api_key_invalid" | "session_required"): DomainError {
  const [, meaning, remedy] = errorCodes[code];
  return new DomainError(code, `${meaning} ${remedy}`);
}
