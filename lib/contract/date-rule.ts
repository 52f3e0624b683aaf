import { z } from "zod";

/** Parts of a local date, from the one with the fewest values. */
export const dateParts = [
  "holiday",
  "quarter",
  "weekday",
  "month",
  "weekdayAndHoliday",
  "hour",
  "dayOfMonth",
  "weekOfYear",
  "hourOfWeek",
  "dayOfYear",
  "monthAndDay",
  "minuteOfDay",
  "year",
] as const;
export type DatePart = (typeof dateParts)[number];

const Value = z.union([z.number(), z.string().max(10_000), z.boolean(), z.null()]);
export type DateValue = z.infer<typeof Value>;

/** Most values of a part: the minutes of a day. */
const PLACES_MAX = 1_500;

export const DateRule = z
  .strictObject({
    part: z
      .enum(dateParts)
      .describe(
        "Part of the local date that determines the value. Weekdays count from 1 (Monday), hours of the week and minutes of the day from 0. `monthAndDay` is 100 times the month, plus the day. `holiday` is 1 on public holidays, otherwise 0. `weekdayAndHoliday` is the weekday, plus 10 on public holidays.",
      ),
    timezone: z.string().max(64).describe("IANA time zone of the date."),
    offset: z.number().optional().describe("Number to add to the part. Absent with `values`."),
    values: z
      .array(
        z.strictObject({
          from: z.number().int().describe("First part with the value. It applies up to the next entry."),
          value: Value.describe("Value. `null` for parts that the rows do not show."),
        }),
      )
      .min(1)
      .max(PLACES_MAX)
      .optional()
      .describe("Value of each part, ascending. Absent with `offset`."),
    holidays: z
      .strictObject({
        country: z.string().max(10).describe("Country of the holidays."),
        region: z.string().max(20).nullable().describe("Region of the holidays. `null` for the country."),
        observed: z
          .boolean()
          .describe(
            "Whether a holiday on a Saturday counts on the Friday before, and one on a Sunday on the Monday after.",
          ),
        days: z
          .array(z.number().int())
          .max(20_000)
          .describe("Public holidays as days since 1970-01-01, ascending."),
      })
      .optional()
      .describe("Public holidays. Present if the part depends on them."),
  })
  .refine(({ offset, values }) => (offset === undefined) !== (values === undefined), {
    message: "Give exactly one of offset and values",
  })
  .meta({
    id: "DateRule",
    description:
      "Rule by which the value of a column follows from the date of its row. It holds for every known row.",
  });
export type DateRule = z.infer<typeof DateRule>;
