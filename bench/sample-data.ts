import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const VARIABLE = "SAMPLE_DATA_DIR";
const FILE = "bike_hour.csv";

export const sampleDataHint = `set ${VARIABLE} to a folder with ${FILE} (UCI Bike Sharing, hour.csv) to measure with real data too`;

/** Reads the hourly bike rentals (Fanaee-T and Gama, 2013). Returns null if the file is missing. */
export function bikeRentals(): Uint8Array | null {
  const folder = process.env[VARIABLE];
  if (!folder) return null;
  const file = path.join(folder, FILE);
  return existsSync(file) ? readFileSync(file) : null;
}
