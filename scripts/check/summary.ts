import { stripVTControlCharacters } from "node:util";
import type { Outcome } from "./part.ts";

const MESSAGE_CHARACTERS = 1500;

/** Lists failures with their reasons, to print at the end of the log. Empty without failures. */
export function failureList(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap(({ counts }) => counts?.failures ?? [])
    .map(({ place, title, message }) => {
      const shortened = stripVTControlCharacters(message).slice(0, MESSAGE_CHARACTERS).trim();
      return `FAILED ${place}${title && ` › ${title}`}\n${shortened.replaceAll(/^/gm, "  ")}\n\n`;
    })
    .join("");
}

/** Returns one line per part. */
export function summary(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  return outcomes
    .map(({ name, passed, counts, durationMs }) => {
      const verdict = passed ? "passed" : "FAILED";
      const tests = counts
        ? `  ${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`
        : "";
      return `${name.padEnd(width)}  ${verdict}  ${(durationMs / 1000).toFixed(1).padStart(6)} s${tests}`;
    })
    .join("\n");
}

/**
 * Returns the totals over all tests. A part that failed without a failed test (a type error, a broken setup) counts as
 * one failure.
 */
export function lastLine(outcomes: readonly Outcome[]): string {
  let passed = 0;
  let failed = 0;
  for (const outcome of outcomes) {
    passed += outcome.counts?.passed ?? 0;
    failed += Math.max(outcome.counts?.failed ?? 0, outcome.passed ? 0 : 1);
  }
  return `${passed} passed, ${failed} failed`;
}
