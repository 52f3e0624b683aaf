import { type ErrorRow, errorColumns } from "#components/actuals/error-table.tsx";
import { periodHeads, periodName } from "#components/actuals/record-periods.ts";
import type { Shown } from "#components/display/shown.ts";
import { type Cell, sheetOf, type WorkbookSheet } from "#components/workbook/workbook-sheet.ts";
import type { DecisionOutcome } from "#lib/contract/saved-comparisons";
import type { OverrideErrors, TrackRecord } from "#lib/contract/track-record";
import { stepsName } from "./track-record-text.ts";

type Names = { target: Shown; nameOf(userId: string): string };

/** Lays out a track record and the decisions of its project as the sheets of a workbook, with full numbers. */
export function recordSheets(
  record: TrackRecord,
  decisions: readonly DecisionOutcome[],
  names: Names,
): WorkbookSheet[] {
  const { errors, horizons, periods, period, checkpoints, overrides } = record;
  const all: ErrorRow[] = errors ? [{ name: "All predictions", ...errors }] : [];
  const ofPeriod = <Row extends { from: string }>(one: Row) => ({
    name: periodName(one.from, record),
    ...one,
  });
  return [
    sheetOf(
      "By steps ahead",
      errorRows("Steps ahead", [...horizons.map((one) => ({ name: stepsName(one), ...one })), ...all]),
    ),
    sheetOf("Over time", errorRows(periodHeads[period], [...periods.map(ofPeriod), ...all])),
    ...(checkpoints.length > 0 ? [sheetOf("Checkpoints", checkpointRows(record))] : []),
    ...(overrides ? [sheetOf("Overrides", overrideRows(overrides, ofPeriod, names))] : []),
    sheetOf("Decisions", decisionRows(decisions, names)),
  ];
}

function errorRows(first: string, rows: readonly ErrorRow[]): Cell[][] {
  const columns = errorColumns(rows);
  return [
    [first, "Rows", ...columns.map(({ title }) => title)],
    ...rows.map((row): Cell[] => [
      ...[row.name, row.rows ?? null],
      ...columns.map(({ value }) => value(row) ?? null),
    ]),
  ];
}

function checkpointRows({ checkpoints, newestCheckpoint }: TrackRecord): Cell[][] {
  return [
    ["Checkpoint", "Rows", "MAE", `MAE of “${newestCheckpoint}”`],
    ...checkpoints.map(({ label, rows, own, newest }): Cell[] => [label, rows, own.mae, newest.mae]),
  ];
}

function overrideRows(
  overrides: NonNullable<TrackRecord["overrides"]>,
  ofPeriod: <Row extends { from: string }>(one: Row) => Row & { name: string },
  { nameOf }: Names,
): Cell[][] {
  const line = (
    by: string,
    name: string,
    { rows, effective, calculated, baseline }: OverrideErrors,
  ): Cell[] => [...[by, name, rows, effective.mae, calculated.mae, baseline.mae]];
  return [
    ["By", "Name", "Rows", "MAE with overrides", "MAE calculated", "Naive MAE"],
    line("All overrides", "", overrides),
    ...overrides.authors.map((one) => line("Author", nameOf(one.author), one)),
    ...overrides.reasons.map((one) => line("Reason", one.reason, one)),
    ...overrides.periods.map(ofPeriod).map((one) => line("Period", one.name, one)),
  ];
}

function decisionRows(decisions: readonly DecisionOutcome[], { target, nameOf }: Names): Cell[][] {
  return [
    [
      ...["Comparison", "Chosen scenario", "Reason", "Decided by", "Decided (UTC)"],
      ...["Expected total", "Lower 90 %", "Upper 90 %", "What came"].map((text) => target.head(text)),
      ...["Values that came", "Values expected"],
    ],
    ...decisions.map((one): Cell[] => [
      ...[one.comparisonName, one.scenarioTitle, one.reason, nameOf(one.decidedBy), new Date(one.decidedAt)],
      ...[one.total, one.lower, one.upper, one.actual, one.actualRows, one.rows],
    ]),
  ];
}
