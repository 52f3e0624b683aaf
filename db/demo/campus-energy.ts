import type { WeatherDay } from "./seattle-weather.ts";

const DAY_MS = 86_400_000;

/** A day of the campus: real weather, simulated use. */
export type CampusDay = { date: number; wind: number; weather: string; inTerm: boolean; demand: number };

/**
 * The energy that a made-up campus in Seattle would use in that weather, MWh a day: heating below 16 °C, more in the
 * wind, cooling above 22 °C, less at weekends and between terms. What people do besides is a fixed sequence that looks
 * like chance, so that the demo is the same everywhere.
 */
export function simulateCampus(weather: readonly WeatherDay[]): CampusDay[] {
  let habit = 0;
  return weather.map(({ date, temperature, wind, weather: sky }, day) => {
    const weekday = new Date(date).getUTCDay();
    const term = isInTerm(date);
    const heating = Math.max(0, 16 - temperature) * (3.8 + 0.08 * wind);
    const cooling = Math.max(0, temperature - 22) * 4.2;
    const lighting = sky === "sun" ? 0 : 6;
    habit = 0.6 * habit + 5 * spread(day);
    const demand =
      118 +
      heating +
      cooling +
      lighting +
      (term ? 22 : 0) -
      (weekday === 0 || weekday === 6 ? 31 : 0) +
      habit;
    return { date, wind, weather: sky, inTerm: term, demand };
  });
}

/** `date,wind,weather,in_term,demand_mwh`, or without the demand where it is not known yet. */
export function campusCsv(days: readonly CampusDay[], options: { withDemand: boolean }): string {
  const header = ["date", "wind", "weather", "in_term", ...(options.withDemand ? ["demand_mwh"] : [])];
  const rows = days.map((day) =>
    [
      new Date(day.date).toISOString().slice(0, 10),
      day.wind,
      day.weather,
      day.inTerm,
      ...(options.withDemand ? [day.demand.toFixed(1)] : []),
    ].join(","),
  );
  return `${[header.join(","), ...rows].join("\n")}\n`;
}

/** The weather of some days moved to others: what the same weather would bring in another year. */
export function moveDays(days: readonly WeatherDay[], from: number, to: number, count: number): WeatherDay[] {
  const first = days.findIndex(({ date }) => date === from);
  return days.slice(first, first + count).map((day, at) => ({ ...day, date: to + at * DAY_MS }));
}

/** Terms of ten weeks or so: winter from 4 January, spring from 28 March, autumn from 26 September. */
function isInTerm(date: number): boolean {
  const day = new Date(date);
  const place = (day.getUTCMonth() + 1) * 100 + day.getUTCDate();
  return (place >= 104 && place <= 318) || (place >= 328 && place <= 610) || (place >= 926 && place <= 1216);
}

/** Between -1 and 1, even and without pattern: the fractional part of multiples of the golden ratio, mixed by a sine. */
function spread(day: number): number {
  const turned = Math.sin(day * 12.9898 + 4.1414) * 43_758.5453;
  return 2 * (turned - Math.floor(turned)) - 1;
}
