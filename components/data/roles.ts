import type { Dataset } from "#lib/contract/datasets";
import type { CsvColumn } from "#lib/engine/csv/options";
import type { Roles } from "./column-roles.tsx";
import type { ReadingOptions } from "./reading-options.tsx";

/** Returns the options with which the replaced dataset was read, for the columns that the file has. */
export function readingAsBefore(former: Dataset, header: readonly string[]): ReadingOptions {
  const { missing, numberFormats, dateOrder, calendarOption, resample } = former;
  return {
    missing,
    dateOrder,
    resample,
    calendar: calendarOption,
    numberFormats: numberFormats.filter(({ column }) => header.includes(column)),
  };
}

/** Returns the roles of a new file's columns: the timestamp is preselected if only one column has times. */
export function firstRoles(columns: readonly Pick<CsvColumn, "name" | "type">[]): Roles {
  const times = columns.filter(({ type }) => type === "timestamp");
  return { ...noRoles, timestamp: times.length === 1 ? [times[0]!.name] : [] };
}

export const noRoles: Roles = { target: "", timestamp: [], exclude: [], categories: [] };

/** Returns the roles of a file's columns in the dataset that the file replaces. */
export function rolesAsBefore(former: Dataset, header: readonly string[]): Roles {
  const present = former.columns.filter(({ name }) => header.includes(name));
  const names = (columns: Dataset["columns"]) => columns.map(({ name }) => name);
  return {
    target: header.includes(former.target) ? former.target : "",
    timestamp: (former.timestamp ?? []).filter((name) => header.includes(name)),
    exclude: names(present.filter(({ role }) => role === "excluded")),
    // Without this, numbers read as categories would become numbers again.
    categories: names(present.filter(({ role, type }) => role === "input" && type === "category")),
  };
}
