import { environment, type PusherSettings } from "#lib/platform/config/environment";
import { DomainError } from "#lib/platform/errors/domain-error";

/** @throws {DomainError} service_unavailable where this process knows of no realtime service */
export function requirePusher(): PusherSettings {
  const { pusher } = environment();
  if (pusher !== null) return pusher;
  throw new DomainError(
    "service_unavailable",
    "No realtime service is configured (PUSHER_APP_ID, PUSHER_KEY and PUSHER_SECRET): poll the jobs instead.",
    { retryAfterSeconds: 60 },
  );
}
