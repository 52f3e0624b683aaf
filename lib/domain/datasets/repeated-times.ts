import type { Choice } from "#lib/contract/reading";
import type { Table } from "#lib/contract/table";
import { zoneChoices, zonesOfRepeats } from "#lib/engine/csv/clock-change";
import type { IssueList } from "#lib/engine/csv/issues";
import { type Origin, placeIssues } from "#lib/engine/csv/origin";
import { hour, proposeParts } from "#lib/engine/csv/propose-parts";
import { proposeSeriesChoice } from "#lib/engine/panel/propose-series";
import { numericValues } from "#lib/engine/table/columns";
import type { DomainError } from "#lib/platform/errors/domain-error";
import { csvError } from "./csv-error.ts";
import type { DatasetSettings } from "./settings.ts";

/**
 * Returns the error for times that occur twice, with their probable cause: the hour in another column, several series, or a
 * clock change.
 */
export function repeatedTimes(
  table: Table,
  timestamp: string,
  settings: DatasetSettings & { origin: Origin },
  { issues, count }: IssueList,
): DomainError {
  const { timezone, origin } = settings;
  const isWide = origin.wide !== null && origin.wide.starts.length > 1;
  const parts = isWide ? null : proposeParts(table.columns, timestamp);
  const { target, exclude, timestampColumns } = settings;
  const [, ...timeParts] = timestampColumns ?? [];
  const isJoined = timeParts.length > 0;
  const unused = [target, ...timeParts, ...exclude];
  const series = parts === null ? proposeSeriesChoice(table, { timestamp, isJoined, unused }) : null;
  const noCause = parts === null && series === null && !isWide;
  const zones = timezone === "UTC" && noCause ? zonesOfRepeats(numericValues(table, timestamp)) : [];
  const choices = [
    ...(parts === null ? [] : [partsChoice(timestamp, parts)]),
    ...(series === null ? [] : [series]),
    ...zoneChoices(zones),
  ];
  const hints = [
    ...(isWide && series === null ? [wideHint(origin.wide!.starts.length)] : []),
    ...(parts === null ? [] : [partsHint(timestamp, parts)]),
    ...(series === null ? [] : [seriesHint(series)]),
    ...(zones.length === 0 ? [] : [zoneHint(zones[0]!)]),
  ];
  const placed = isWide ? placeIssues(issues, origin) : issues;
  const listed = placed.map((issue, at) => (at === 0 && choices.length > 0 ? { ...issue, choices } : issue));
  return csvError({ issues: listed, issueCount: count }, hints.join(" "));
}

const partsChoice = (timestamp: string, parts: readonly string[]): Choice => ({
  label: `Times of ${[timestamp, ...parts].join(", ")}`,
  options: { timestamp: [timestamp, ...parts] },
  cells: [],
});

function partsHint(timestamp: string, parts: readonly string[]): string {
  const part = parts.some((name) => hour.name.test(name)) ? "the hour" : "the rest of the time";
  const columns = parts.map((name) => `"${name}"`).join(", ");
  return `Is ${part} in column ${columns}? Then send ${JSON.stringify([timestamp, ...parts])} as timestamp.`;
}

const seriesHint = ({ label, options }: Choice) =>
  `The rows are ${label}: send ${JSON.stringify(options)} with the file. To join the rows of each time instead, use \`resample\`.`;

const wideHint = (rows: number) =>
  `Each of the ${rows} rows of the file has these times, and no columns name their series. Add a column such as store, keep the row of one series, for example with \`skipRows\`, or the sum of all.`;

const zoneHint = (zone: string) =>
  `The clocks were set back in that hour. Send the time zone of the times as timezone, such as ${zone}.`;
