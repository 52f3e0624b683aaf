import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Column, Table } from "#lib/contract/table";

/** Optional folder with bike_hour.csv (UCI Bike Sharing, hourly) and other public data. */
const folder = process.env.SAMPLE_DATA_DIR;
const file = folder === undefined ? undefined : path.join(folder, "bike_hour.csv");

/** Returns whether the file exists, and logs a warning if not. Tests that need the file are then skipped. */
export function hasBikeHours(): boolean {
  const exists = file !== undefined && existsSync(file);
  if (!exists) console.warn("SKIPPED: bike_hour.csv not found. Set SAMPLE_DATA_DIR to its folder.");
  return exists;
}

/** Returns the path of the file, for tests that upload it. */
export const bikeHoursFile = (): string => file!;

/** Reads 17,379 hourly rows of two years: `time`, the rentals `cnt`, and columns of weather and calendar. */
export function readBikeHours(): Table {
  const [header = [], ...rows] = readFileSync(file!, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.trim().split(","));
  const indexOf = (name: string) => header.indexOf(name);
  const time = (row: string[]) => {
    const [month, day, year] = row[indexOf("dteday")]!.split("/").map(Number);
    return Date.UTC(year!, month! - 1, day!, Number(row[indexOf("hr")]));
  };
  const excluded = new Set(["instant", "dteday", "hr", "casual", "registered"]);
  const columns = header
    .filter((name) => !excluded.has(name))
    .map(
      (name): Column => ({
        name,
        type: "number",
        values: Float64Array.from(rows, (row) => Number(row[indexOf(name)])),
      }),
    );
  return {
    rowCount: rows.length,
    columns: [{ name: "time", type: "timestamp", values: Float64Array.from(rows, time) }, ...columns],
  };
}
