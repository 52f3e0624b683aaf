import { zoneOffset } from "./time-zone.ts";

const DAY_MS = 86_400_000;
/** Years before the first and after the last row whose holidays a model knows. */
const YEARS_BEFORE = 5;
const YEARS_AFTER = 30;
/** The package's rules are for about these years; far beyond them some never come to an end. */
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

export type HolidayPlace = { country: string; region?: string | undefined };

/** A country or region whose holidays are not known. `known`: those that are, by code. */
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

/** @throws UnknownPlace */
export async function requireHolidayPlace({ country, region }: HolidayPlace): Promise<void> {
  const calendar = await holidayCalendar();
  const countries = calendar.getCountries("en");
  if (!Object.hasOwn(countries, country)) {
    const message = `No holidays are known of a country "${country}": write its code of two letters, such as US.`;
    throw new UnknownPlace("country", message, Object.keys(countries));
  }
  if (region === undefined) return;
  const regions = calendar.getStates(country, "en") ?? {};
  if (Object.hasOwn(regions, region)) return;
  const known = Object.keys(regions).sort();
  const message =
    known.length > 0
      ? `No holidays are known of a region "${region}" of ${country}: it has ${known.join(", ")}.`
      : `The holidays of ${country} are not known by region: leave it out.`;
  throw new UnknownPlace("region", message, known);
}

/**
 * The public holidays of a place, as days since 1970-01-01, ascending: those of the years of the rows and some around
 * them. A holiday that begins the evening before counts by its date.
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

/** Loaded on first use: it is large, and most models do without. */
async function holidayCalendar(country?: string, region?: string) {
  const { default: Holidays } = await import("date-holidays");
  // The days are read off its dates alone, so that the zone of the rows may be another one than the country's.
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
