import { stepWord } from "#lib/contract/duration-text";

const frequencies: Record<string, string> = {
  hour: "hourly",
  day: "daily",
  week: "weekly",
  month: "monthly",
  year: "yearly",
};

/** "hourly", "every 15 minutes"; "none" for rows without a step. */
export function frequencyText(frequency: string | null): string {
  if (frequency === null) return "none";
  const word = stepWord(frequency);
  return frequencies[word] ?? `every ${word}`;
}
