const frequencies: Record<string, string> = {
  PT1H: "hourly",
  P1D: "daily",
  P7D: "weekly",
  P1M: "monthly",
  PT15M: "every 15 minutes",
  P1Y: "yearly",
};

/** "hourly"; what has no word as it stands, "none" for rows without a step. */
export const frequencyText = (frequency: string | null): string =>
  frequency === null ? "none" : (frequencies[frequency] ?? frequency);
