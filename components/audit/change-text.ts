import { seriesTimes, unknownCalendar } from "#components/time/period.ts";
import type { AuditChange } from "#lib/contract/audit";

/** Names of fields that are not clear from their own name in words. */
const names: Record<string, string> = {
  exclude: "Excluded columns",
  categories: "Category columns",
  confirmed: "Columns confirmed as known beforehand",
  missing: "Texts for missing values",
  timestamp: "Time column",
  color: "Colour",
  firstTimestamp: "First time",
  lastTimestamp: "Last time",
  expiresAt: "Expiry",
  revokedAt: "Revocation",
  displayName: "Display name",
};

/** Returns `numberFormats` → "Number formats". */
const inWords = (name: string) =>
  names[name] ??
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Names a changed field: "Title", "Unit of temp", "Dependency predicted_temp". */
export function fieldText(field: string): string {
  const [whole, part] = [field.indexOf("."), field.lastIndexOf(".")];
  if (whole < 0) return inWords(field);
  if (field.startsWith("dependencies.")) return `Dependency ${field.slice(whole + 1)}`;
  const column = field.slice(whole + 1, part);
  return column === ""
    ? `${inWords(field.slice(0, whole))}: ${inWords(field.slice(part + 1)).toLowerCase()}`
    : `${inWords(field.slice(part + 1))} of ${column}`;
}

const isTime = (value: string) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value);

/**
 * Shows a value of the audit log.
 *
 * @param nameOf returns the name of a project, for the upstream projects of dependencies
 */
export function valueText(
  { field }: Pick<AuditChange, "field">,
  value: AuditChange["to"],
  nameOf: (projectId: string) => string | undefined,
): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (field.startsWith("dependencies.")) return nameOf(value) ?? "a deleted project";
  return isTime(value) ? seriesTimes([value], unknownCalendar)[0]! : value;
}
