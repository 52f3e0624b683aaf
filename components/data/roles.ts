import { TARGET_NEEDED, textsIssue } from "#lib/contract/classes";
import type { Dataset } from "#lib/contract/datasets";
import type { Choice } from "#lib/contract/reading";
import { mixedTextsIssue } from "#lib/engine/csv/mixed-texts";
import type { CsvColumn } from "#lib/engine/csv/options";
import { LISTED_CATEGORIES_MAX } from "#lib/engine/csv/profile";
import { proposeValueFormat } from "#lib/engine/csv/value-formats";
import type { ReadingOptions } from "./reading-options.tsx";

/** Roles of a file's columns in the form; the other columns are inputs. */
export type Roles = {
  target: string;
  timestamp: string[];
  exclude: string[];
  categories: string[];
  /** Columns whose values name the series of a row. Empty for one series. */
  series: string[];
};

/** Returns the options with which the replaced dataset was read, for the columns that the file has. */
export function readingAsBefore(former: Dataset, header: readonly string[]): ReadingOptions {
  const { missing, numberFormats, timezone, dateOrder, calendarOption, resample } = former;
  return {
    missing,
    timezone,
    dateOrder,
    resample,
    calendar: calendarOption,
    timestampFormat: null,
    columnFormats: {},
    skipRows: [],
    headerRow: null,
    encoding: null,
    sheet: null,
    shape: null,
    numberFormats: numberFormats.filter(({ column }) => header.includes(column)),
  };
}

/** Returns the roles of a new file's columns: the timestamp is preselected if only one column has times. */
export function firstRoles(columns: readonly Pick<CsvColumn, "name" | "type">[]): Roles {
  const times = columns.filter(({ type }) => type === "timestamp");
  return { ...noRoles, timestamp: times.length === 1 ? [times[0]!.name] : [] };
}

export const noRoles: Roles = { target: "", timestamp: [], exclude: [], categories: [], series: [] };

/** Returns the roles with another target, whose values decide its type. */
export const withTarget = (roles: Roles, target: string): Roles => ({
  ...roles,
  target,
  categories: roles.categories.filter((name) => name !== target),
  series: roles.series.filter((name) => name !== target),
});

/** Returns the roles with other timestamp columns, which then have no other role. */
export function withTimestamp(roles: Roles, columns: readonly string[]): Roles {
  const timestamp = columns.filter((name) => name !== "");
  const others = (names: readonly string[]) => names.filter((name) => !timestamp.includes(name));
  const target = timestamp.includes(roles.target) ? "" : roles.target;
  return {
    target,
    timestamp,
    exclude: others(roles.exclude),
    categories: others(roles.categories),
    // Series need times.
    series: timestamp.length === 0 ? [] : others(roles.series),
  };
}

/** Returns the roles with those of a choice of how the file is read. */
export function withChosen(roles: Roles, options: Choice["options"]): Roles {
  const { timestamp, target, exclude, series } = options as Partial<Roles>;
  const timed = "timestamp" in options ? withTimestamp(roles, timestamp ?? []) : roles;
  return {
    ...timed,
    ...(target !== undefined && { target }),
    ...(exclude !== undefined && { exclude }),
    ...(series !== undefined && { series }),
  };
}

/** Returns the columns confirmed in the replaced dataset, for the columns that the file has. */
export const confirmedAsBefore = (former: Dataset, header: readonly string[]): string[] =>
  former.confirmed.filter((name) => header.includes(name));

/** Returns the roles of a file's columns in the dataset that the file replaces. */
export function rolesAsBefore(former: Dataset, header: readonly string[]): Roles {
  const present = former.columns.filter(({ name }) => header.includes(name));
  const names = (columns: Dataset["columns"]) => columns.map(({ name }) => name);
  const [date, ...hours] = former.timestamp ?? [];
  return {
    target: header.includes(former.target) ? former.target : "",
    // An hour alone is no time.
    timestamp:
      date !== undefined && header.includes(date)
        ? [date, ...hours.filter((name) => header.includes(name))]
        : [],
    series: (former.series?.columns ?? []).filter((name) => header.includes(name)),
    exclude: names(present.filter(({ role }) => role === "excluded")),
    // Without this, numbers read as categories would become numbers again.
    categories: names(present.filter(({ role, type }) => role === "input" && type === "category")),
  };
}

/** Returns why the service rejects the target; null if it accepts it, or if its column was not read. */
export function targetIssue(
  target: string,
  profile: readonly { name: string; categories: readonly string[] | null }[],
): string | null {
  if (target === "") return "Choose a target";
  const texts = profile.find(({ name }) => name === target)?.categories;
  if (texts == null) return null;
  if (texts.length > 2 && proposeValueFormat(texts) !== null)
    return `The target "${target}" ${TARGET_NEEDED}. Its texts can be read as numbers: use the button above.`;
  return (
    mixedTextsIssue(target, texts) ?? textsIssue(target, texts.length, texts.length === LISTED_CATEGORIES_MAX)
  );
}
