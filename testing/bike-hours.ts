import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Column, Table } from "#lib/contract/table";

/** A folder with bike_hour.csv (UCI Bike Sharing, hourly) and other public data, if there is one. */
const folder = process.env.EXAMPLE_DATA_DIR;
const file = folder === undefined ? undefined : path.join(folder, "bike_hour.csv");

/** Whether the data is there; tests that need it are skipped without it, which is said. */
export function hasBikeHours(): boolean {
  const isThere = file !== undefined && existsSync(file);
  if (!isThere) console.warn("SKIPPED: EXAMPLE_DATA_DIR names no folder with bike_hour.csv");
  return isThere;
}

/** 17,379 hours of two years: `time`, the rentals `cnt`, and what was known of weather and calendar. */
export function readBikeHours(): Table {
  const [header = [], ...rows] = readFileSync(file!, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.trim().split(","));
  const place = (name: string) => header.indexOf(name);
  const time = (row: string[]) => {
    const [month, day, year] = row[place("dteday")]!.split("/").map(Number);
    return Date.UTC(year!, month! - 1, day!, Number(row[place("hr")]));
  };
  const left = new Set(["instant", "dteday", "hr", "casual", "registered"]);
  const columns = header
    .filter((name) => !left.has(name))
    .map(
      (name): Column => ({
        name,
        type: "number",
        values: Float64Array.from(rows, (row) => Number(row[place(name)])),
      }),
    );
  return {
    rowCount: rows.length,
    columns: [{ name: "time", type: "timestamp", values: Float64Array.from(rows, time) }, ...columns],
  };
}
