import { expect, test } from "vitest";
import { publicHolidays, requireHolidayPlace, UnknownPlace } from "./holiday-days.ts";

const day = (text: string) => Date.parse(text) / 86_400_000;
const in2024 = Float64Array.of(Date.UTC(2024, 5, 1));

test("returns a place's public holidays for the years of the rows and around them", async () => {
  const german = await publicHolidays({ country: "DE" }, in2024, "Europe/Berlin");
  expect(german.filter((at) => at >= day("2024-01-01") && at < day("2025-01-01"))).toEqual(
    ["01-01", "03-29", "04-01", "05-01", "05-09", "05-20", "10-03", "12-25", "12-26"].map((at) =>
      day(`2024-${at}`),
    ),
  );
  expect([german[0], german.at(-1)]).toEqual([day("2019-01-01"), day("2054-12-26")]);
  const bavarian = await publicHolidays({ country: "DE", region: "BY" }, in2024, "UTC");
  expect(bavarian).toContain(day("2024-01-06"));
  expect(german).not.toContain(day("2024-01-06"));
});

test("returns all days of a holiday, and the date of one that begins the evening before", async () => {
  const saudi = await publicHolidays({ country: "SA" }, in2024, "UTC");
  expect(saudi.filter((at) => at > day("2024-04-01") && at < day("2024-05-01"))).toEqual(
    ["04-09", "04-10", "04-11", "04-12"].map((at) => day(`2024-${at}`)),
  );
});

test("limits the holidays of rows in the years 1 and 9999 to the supported years", async () => {
  const far = Float64Array.of(Date.parse("0001-01-01T00:00:00Z"), Date.UTC(9999, 11, 31));
  const days = await publicHolidays({ country: "DE" }, far, "UTC");
  expect(days[0]).toBeGreaterThanOrEqual(day("1950-01-01"));
  expect(days.at(-1)).toBe(day("2100-12-26"));
});

test("rejects an unknown country or region with the known codes", async () => {
  await expect(requireHolidayPlace({ country: "US", region: "WA" })).resolves.toBeUndefined();
  await expect(requireHolidayPlace({ country: "toString" })).rejects.toThrow(UnknownPlace);
  await expect(requireHolidayPlace({ country: "DE", region: "WA" })).rejects.toMatchObject({
    part: "region",
    message: expect.stringContaining("Use one of BB, BE, BW, BY"),
  });
  await expect(requireHolidayPlace({ country: "VA", region: "X" })).rejects.toThrow("Omit the region");
});
