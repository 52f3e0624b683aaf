import os from "node:os";
import type { Figures, Measurement, Settings, Skipped } from "./harness.ts";

type Result = (Measurement | Figures | Skipped) & { benchmark: string };

export type Report = Pick<Settings, "quick" | "seed"> & { machine: string; results: Result[] };

const TITLES = ["benchmark", "what", "ours", "median", "compared with", "median", "ratio", "min – max"];
/** Indexes of the right-aligned columns. */
const RIGHT = new Set([3, 5, 6]);

const RATIO =
  "Ratio: our time / the other's time in the same round, median of the rounds; below 1 ours is faster.";

/** Describes the machine. If its load is far above 0, absolute times mean nothing. */
export function describeMachine(): string {
  const processor = os.cpus()[0]?.model.trim() ?? "unknown";
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
  const system = `${process.platform} ${process.arch}, Node ${process.version}`;
  return `${os.availableParallelism()} cores (${processor}), ${memory}, ${system}, load ${os.loadavg()[0]!.toFixed(1)} at the start`;
}

/** Formats the report as text. */
export function printReport({ machine, quick, seed, results }: Report): string {
  const measured = results.flatMap((result) => ("ours" in result ? rowsOf(result) : []));
  const lines = [
    `${machine}, seed ${seed}`,
    ...(measured.length > 0 ? [RATIO] : []),
    ...(quick ? ["Quick run: sizes are small, and the numbers mean little."] : []),
  ];
  if (measured.length > 0) lines.push("", ...printTable(TITLES, RIGHT, measured));
  const tables = results.flatMap((result) => ("table" in result ? [result] : []));
  for (const { what, table } of tables) {
    const right = new Set(table.titles.map((_, column) => column).slice(1));
    lines.push("", `${what}: ${table.title}`, "", ...printTable(table.titles, right, table.rows));
  }
  if (measured.length + tables.length === 0) lines.push("", "Nothing was measured.");
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
  if (!("note" in result)) return undefined;
  return result.note === undefined ? undefined : `${subject}: ${result.note}`;
}

export function printTable(
  titles: readonly string[],
  right: ReadonlySet<number>,
  rows: string[][],
): string[] {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        right.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return [line(titles), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)];
}

function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toPrecision(3)} s`;
  return ms >= 1 ? `${ms.toPrecision(3)} ms` : `${(ms * 1_000).toPrecision(3)} µs`;
}
