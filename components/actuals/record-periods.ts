import { dayText } from "#components/time/period.ts";
import type { CheckpointRecord } from "#lib/contract/actuals";

/** Heading of a column of periods. */
export const periodHeads = { day: "Day", week: "Week from", month: "Month" };

/** Formats a period by its first day in the time zone of the data; the head of the column names weeks. */
export const periodName = (
  from: string,
  { period, timezone }: Pick<CheckpointRecord, "period" | "timezone">,
) => dayText(from, { frequency: period === "month" ? "P1M" : "P1D", timezone });
