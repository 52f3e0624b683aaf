import type { Skipped } from "./benchmark.ts";
import type { Machine } from "./machine.ts";
import type { Measurement } from "./measure.ts";

export type Result = (Measurement | Skipped) & { benchmark: string };

export type Report = { machine: Machine; quick: boolean; seed: number; results: Result[] };

const TITLES = ["benchmark", "what", "ours", "median", "compared with", "median", "ratio", "least – most"];
const RIGHT = new Set([3, 5, 6]);

/** For people. A ratio below 1: ours needs that part of the other's time. */
export function printReport({ machine, quick, seed, results }: Report): string {
  const { cores, processor, memoryGb, platform, node, load } = machine;
  const lines = [
    `${cores} cores (${processor}), ${memoryGb} GB, ${platform}, Node ${node}, load ${load} at the start, seed ${seed}`,
    "Ratio: time of ours / time of the other in the same round, the median of the rounds; below 1 ours is faster.",
    ...(quick ? ["Quick: sizes are tiny, and the numbers mean little."] : []),
    "",
    ...printTable(results.flatMap((result) => ("skipped" in result ? [] : rowsOf(result)))),
  ];
  const notes = results.flatMap((result) => noteOf(result) ?? []);
  if (notes.length > 0) lines.push("", ...notes);
  return lines.join("\n");
}

function rowsOf({ benchmark, what, ours, others }: Measurement & { benchmark: string }): string[][] {
  if (others.length === 0) return [[benchmark, what, ours.name, duration(ours.medianMs), "–", "", "", ""]];
  return others.map(({ name, medianMs, ratio }, index) => [
    ...(index === 0 ? [benchmark, what, ours.name, duration(ours.medianMs)] : ["", "", "", ""]),
    name,
    duration(medianMs),
    ratio.median.toPrecision(3),
    `${ratio.least.toPrecision(2)} – ${ratio.most.toPrecision(2)}`,
  ]);
}

function noteOf(result: Result): string | undefined {
  const subject = `${result.benchmark}, ${result.what}`;
  if ("skipped" in result) return `skipped: ${subject}: ${result.skipped}`;
  return result.note === undefined ? undefined : `${subject}: ${result.note}`;
}

function printTable(rows: string[][]): string[] {
  if (rows.length === 0) return ["Nothing was measured."];
  const widths = TITLES.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        RIGHT.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return [line(TITLES), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)];
}

function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toPrecision(3)} s`;
  return ms >= 1 ? `${ms.toPrecision(3)} ms` : `${(ms * 1_000).toPrecision(3)} µs`;
}
