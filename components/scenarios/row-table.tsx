import { useCalendar, useDisplays, useTarget } from "#components/display/displays.tsx";
import { classNames } from "#components/ui/class-names.ts";
import {
  type formatColumn,
  formatInteger,
  formatInterval,
  formatSigned,
  utcText,
} from "#components/ui/format.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { columnText, errorOf, isOutside } from "./row-text.ts";

/** Lists a page of a scenario's rows: prediction, actual, input. */
export function RowTable({
  page,
  outside,
  actualAt,
  row: chosen,
  onRow,
}: {
  page: ScenarioRows;
  outside: Extrapolation["features"];
  /** Returns the actual at a time: undefined while loading, null if unknown. */
  actualAt: ((time: string | null) => number | null | undefined) | null;
  row: number;
  onRow(row: number): void;
}) {
  const target = useTarget();
  const displays = useDisplays();
  const calendar = useCalendar();
  const format = target.formatOf(
    page.rows.flatMap(({ prediction, lower, upper, timestamp }) => [
      prediction,
      lower,
      upper,
      actualAt?.(timestamp) ?? null,
    ]),
  );
  const columns = page.columns.map((column, index) => ({
    ...column,
    ...columnText(
      page.rows.map(({ input }) => input[index] ?? null),
      column,
      displays(column.name),
      calendar,
    ),
    right: column.type === "number" && "text-right",
    outside: outside.find(({ feature }) => feature === column.name),
  }));
  return (
    // Uses less space than other tables, so that a model with few features fits next to the explanation.
    <Table className="[&_td]:px-3 [&_th]:px-3">
      <thead>
        <tr>
          <Th>Row</Th>
          <Th className="text-right">{target.head("Prediction")}</Th>
          <Th className="text-right">{target.head("90 % interval")}</Th>
          {actualAt && (
            <>
              <Th className="text-right">{target.head("Actual")}</Th>
              <Th className="text-right" title="Predicted minus actual">
                {target.head("Error")}
              </Th>
            </>
          )}
          {columns.map(({ name, right, note }) => (
            <Th key={name} className={classNames("max-w-48 truncate", right)} title={name}>
              <bdi>{displays(name).title}</bdi>
              {note && <span className="block font-normal">{note}</span>}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody className="figures">
        {page.rows.map(
          ({ row, timestamp, prediction, lower, upper, calculated, overrideId, input }, place) => (
            <tr
              key={row}
              className={classNames(
                "relative h-10 whitespace-nowrap",
                row === chosen ? "bg-accent-wash" : "hover:bg-sunken",
              )}
            >
              <Td className="py-0">
                <button
                  type="button"
                  aria-pressed={row === chosen}
                  aria-label={`Explain row ${row}`}
                  onClick={() => onRow(row)}
                  className="rounded-sm text-ink-faint after:absolute after:inset-0"
                >
                  {formatInteger(row)}
                </button>
              </Td>
              <Td className="py-0 text-right font-medium">
                {overrideId ? (
                  <span
                    className="underline decoration-dotted underline-offset-4"
                    title={`Override. Calculated: ${format(calculated)}`}
                  >
                    {format(prediction)}
                    <span className="sr-only"> (override; calculated {format(calculated)})</span>
                  </span>
                ) : (
                  format(prediction)
                )}
              </Td>
              <Td className="py-0 text-right text-ink-faint">{formatInterval(lower, upper, format)}</Td>
              {actualAt && (
                <ActualCells prediction={prediction} actual={actualAt(timestamp)} format={format} />
              )}
              {columns.map(({ name, type, right, texts, ...column }, index) => {
                const value = input[index] ?? null;
                const marked = column.outside !== undefined && isOutside(value, column.outside);
                return (
                  <Td
                    key={name}
                    className={classNames("max-w-48 truncate py-0", right, marked && "font-medium text-warn")}
                    {...(type === "timestamp" && value !== null && { title: utcText(String(value)) })}
                  >
                    {texts[place]}
                    {marked && <span className="sr-only"> (outside the known range)</span>}
                  </Td>
                );
              })}
            </tr>
          ),
        )}
      </tbody>
    </Table>
  );
}

function ActualCells({
  prediction,
  actual,
  format,
}: {
  prediction: number | null;
  actual: number | null | undefined;
  format: ReturnType<typeof formatColumn>;
}) {
  const isAsked = actual === undefined;
  return (
    <>
      <Td className="py-0 text-right">{isAsked ? <Pending /> : format(actual)}</Td>
      <Td className="py-0 text-right text-ink-soft">
        {isAsked ? <Pending /> : formatSigned(errorOf(prediction, actual), format)}
      </Td>
    </>
  );
}

function Pending() {
  return (
    <>
      <Skeleton className="ml-auto h-3 w-12" />
      <span className="sr-only">Loading</span>
    </>
  );
}
