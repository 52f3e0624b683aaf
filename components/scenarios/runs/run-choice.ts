import { type inferParserType, parseAsString } from "nuqs/server";
import { queryOf } from "#components/api/query-of.ts";
import { endOfDay } from "#components/time/local-day.ts";

/** Earlier run in the URL of a scenario's page: its ID, or a local day at whose end it was the newest one. */
export const runParsers = { run: parseAsString, asOf: parseAsString };

export type RunChoice = inferParserType<typeof runParsers>;

/** Returns the choice as a query of the API; null for the run that completed last. */
export function runQuery({ run, asOf }: RunChoice, timezone: string | null): string | null {
  if (run !== null) return queryOf({ run });
  return asOf === null ? null : queryOf({ asOf: endOfDay(asOf, timezone) });
}
