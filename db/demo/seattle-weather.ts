import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseCsv } from "#lib/engine/csv/parse";
import { numericValues, requireColumn } from "#lib/engine/table/columns";

/** One day of Seattle's weather. */
export type WeatherDay = {
  /** 00:00 UTC, epoch milliseconds. */
  date: number;
  /** Highest temperature of the day, °C. */
  temperature: number;
  /** Mean wind speed, m/s. */
  wind: number;
  /** drizzle, fog, rain, snow or sun. */
  weather: string;
};

/**
 * Daily weather of Seattle, 2012 to 2015, as the package vega-datasets carries it (observations of NOAA's National
 * Centers for Environmental Information).
 */
export function seattleWeatherCsv(): Buffer {
  const packageMain = fileURLToPath(import.meta.resolve("vega-datasets"));
  return readFileSync(path.join(path.dirname(packageMain), "../data/seattle-weather.csv"));
}

export function readWeather(csv: Uint8Array): WeatherDay[] {
  const { table } = parseCsv(csv, { timestamp: "date" });
  const dates = numericValues(table, "date");
  const temperatures = numericValues(table, "temp_max");
  const winds = numericValues(table, "wind");
  const weather = requireColumn(table, "weather");
  if (weather.type !== "category") throw new TypeError("The weather must be a word.");
  return Array.from(dates, (date, row) => ({
    date,
    temperature: temperatures[row]!,
    wind: winds[row]!,
    weather: weather.categories[weather.codes[row]!]!,
  }));
}
