import { recentEventSeconds } from "#lib/contract/channel";

/**
 * Returns whether a page that has just subscribed may have missed an event. Events before the subscription were not
 * delivered. The page read its first data after its document was requested, so it missed nothing if the newest event is
 * older than that.
 *
 * For example, a page that opened 2 s ago missed nothing if the newest event was sent 5 s ago. A page of a scenario then
 * sends 22 requests instead of 36.
 *
 * @param secondsSinceEvent `secondsSinceLastEvent` of `GET /realtime`, after the subscription
 * @param openMs time since the document was requested, after the answer
 */
export function mayHaveMissedEvents(secondsSinceEvent: number | null, openMs: number): boolean {
  return (secondsSinceEvent ?? recentEventSeconds) * 1_000 <= openMs;
}
