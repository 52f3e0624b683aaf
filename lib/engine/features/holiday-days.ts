import { zoneOffset } from "#lib/engine/time/timezones";

const DAY_MS = 86_400_000;
/** Years before the first and after the last row whose holidays a model stores. */
const YEARS_BEFORE = 5;
const YEARS_AFTER = 30;
/** Range of years that the package's rules cover. Far outside it, some rules never terminate. */
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

export type HolidayPlace = { country: string; region?: string | undefined };

/** Thrown for a country or region without known holidays. `known` lists the codes with holidays. */
export class UnknownPlace extends Error {
  override name = "UnknownPlace";
  readonly part: "country" | "region";
  readonly known: string[];
  constructor(part: "country" | "region", message: string, known: string[]) {
    super(message);
    this.part = part;
    this.known = known;
  }
}

/** Validates a country and region. @throws UnknownPlace */
export async function requireHolidayPlace({ country, region }: HolidayPlace): Promise<void> {
  const calendar = await holidayCalendar();
  const countries = calendar.getCountries("en");
  if (!Object.hasOwn(countries, country)) {
    const message = `The country "${country}" has no known holidays. Use a two-letter code, such as US.`;
    throw new UnknownPlace("country", message, Object.keys(countries));
  }
  if (region === undefined) return;
  const regions = calendar.getStates(country, "en") ?? {};
  if (Object.hasOwn(regions, region)) return;
  const known = Object.keys(regions).sort();
  const message =
    known.length > 0
      ? `The region "${region}" of ${country} has no known holidays. Use one of ${known.join(", ")}.`
      : `The holidays of ${country} are not known by region. Omit the region.`;
  throw new UnknownPlace("region", message, known);
}

/**
 * Returns the public holidays of a place as ascending days since 1970-01-01, for the years of the rows and some years
 * around them. A holiday that begins the evening before counts on its date.
 *
 * @param instants times of the rows, epoch milliseconds
 * @throws UnknownPlace
 */
export async function publicHolidays(
  { country, region }: HolidayPlace,
  instants: Float64Array,
  timezone: string,
): Promise<number[]> {
  await requireHolidayPlace({ country, region });
  const calendar = await holidayCalendar(country, region);
  const [first, last] = yearsOf(instants, timezone);
  const days = new Set<number>();
  const until = Math.min(LAST_YEAR, last + YEARS_AFTER);
  for (let year = Math.max(FIRST_YEAR, first - YEARS_BEFORE); year <= until; year++) {
    for (const { date, start, end } of calendar.getHolidays(year)) {
      const day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS;
      const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
      for (let i = 0; i < length; i++) days.add(day + i);
    }
  }
  return [...days].sort((a, b) => a - b);
}

/** Loads the package on first use, because it is large and most models do not need it. */
async function holidayCalendar(country?: string, region?: string) {
  const { default: Holidays } = await import("date-holidays");
  // Only the dates are used, so the zone of the rows may differ from the country's.
  const options = { types: ["public" as const], timezone: "UTC" };
  if (country === undefined) return new Holidays(options);
  return region === undefined ? new Holidays(country, options) : new Holidays(country, region, options);
}

function yearsOf(instants: Float64Array, timezone: string): [number, number] {
  const offset = zoneOffset(timezone);
  const years = instants.filter(Number.isFinite).map((at) => new Date(at + offset(at)).getUTCFullYear());
  return years.length === 0
    ? [1970, 1970]
    : [years.reduce((a, b) => Math.min(a, b)), years.reduce((a, b) => Math.max(a, b))];
}
