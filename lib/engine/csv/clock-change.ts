import type { Choice } from "#lib/contract/reading";
import { ZoneClock } from "#lib/engine/time/timezones";

/** Zones whose clock changes stand for those of their neighbours. */
const ZONES = [
  ...["Europe/Berlin", "Europe/London", "Europe/Athens", "America/New_York", "America/Chicago"],
  ...["America/Denver", "America/Los_Angeles", "Australia/Sydney"],
];
const HOUR_MS = 3_600_000;

/**
 * Returns the zones whose clocks, set back, explain every time that occurs twice: read in the order of the rows, the times
 * then occur once. Empty if no zone does.
 *
 * @param times clock times as if in UTC, in the order of the rows
 * @param preferred zone to propose first, such as that of the browser
 */
export function zonesOfRepeats(times: Float64Array, preferred?: string): string[] {
  const seen = new Set<number>();
  const repeated = times.filter((time) => seen.size === seen.add(time).size);
  if (repeated.length === 0 || repeated.length > times.length / 10 + 4) return [];
  // Only the rows near a repeated time can be moved by a clock change.
  const near = times.filter((time) => repeated.some((at) => Math.abs(at - time) <= 3 * HOUR_MS));
  return [...new Set([...(preferred === undefined ? [] : [preferred]), ...ZONES])].filter((zone) => {
    const clock = new ZoneClock(zone);
    let previous = Number.NEGATIVE_INFINITY;
    return near.every((time) => {
      const at = clock.toUtc(time, previous);
      const isLater = at > previous;
      previous = at;
      return isLater;
    });
  });
}

/** Returns the choices of a zone for times that a clock change repeats. */
export function zoneChoices(zones: readonly string[]): Choice[] {
  return zones.map((timezone) => ({ label: `Times of ${timezone}`, options: { timezone }, cells: [] }));
}
