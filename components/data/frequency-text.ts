import { stepWord } from "#lib/contract/duration-text";

const frequencies: Record<string, string> = {
  hour: "hourly",
  day: "daily",
  "business day": "every business day (Monday to Friday)",
  week: "weekly",
  month: "monthly",
  year: "yearly",
};

/** Formats a frequency: "hourly", "every 15 minutes"; "none" for rows without a regular step. */
export function frequencyText(frequency: string | null): string {
  if (frequency === null) return "none";
  const word = stepWord(frequency);
  return frequencies[word] ?? `every ${word}`;
}
