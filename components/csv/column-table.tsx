"use client";

import { useState } from "react";
import type { ColumnOutside } from "#components/csv/preview-csv.ts";
import { seriesTimes, unknownCalendar } from "#components/time/period.ts";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { formatInteger, formatNumber } from "#components/ui/format.ts";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import { datePartText } from "#lib/engine/time/date-rule";
import { Distribution } from "./distribution.tsx";

type Role = Dataset["columns"][number]["role"] | "series";
type Extent = Pick<Dataset["columns"][number], "type" | "min" | "max" | "categories">;
/** Column before the upload: has no role yet, and may have new values. */
type DescribedColumn = Omit<Dataset["columns"][number], "role"> & {
  role?: Role;
  outside?: ColumnOutside | null;
};

/** Ranges of the columns in earlier rows; `words` names these rows ("trained on"). */
export type KnownColumns = { words: string; columns: readonly (Extent & { name: string })[] };

/** Checkboxes that select the inputs. */
type ColumnUse = {
  isUsed(name: string): boolean;
  /** Whether the choice cannot change. */
  isFixed(name: string): boolean;
  onToggle(name: string): void;
};

/** Maximum number of categories that the service reports. */
const categoriesReported = 1_000;

/** Number of columns added per click: a file may have ten thousand. */
const shownAtOnce = 100;

const roleTones: Record<Role, Tone> = {
  target: "accent",
  timestamp: "good",
  series: "good",
  input: "neutral",
  excluded: "faint",
};

/** Formats a column's range or its number of distinct values; a dash if unknown. */
function extent(column: Extent | undefined): string {
  if (column?.categories) {
    const { length } = column.categories;
    return length === categoriesReported
      ? `${formatInteger(length)} or more values`
      : counted(length, "value");
  }
  if (!column || column.min === null || column.max === null) return "–";
  if (column.type === "boolean") return column.min === column.max ? String(column.min === 1) : "false, true";
  // Shows a single number if all values are equal.
  const ends = [...new Set([column.min, column.max])];
  const texts =
    column.type === "timestamp"
      ? seriesTimes(
          ends.map((time) => new Date(time).toISOString()),
          unknownCalendar,
        )
      : ends.map(formatNumber);
  return texts.join(" – ");
}

/** Describes each column; columns with values outside the known range come first. */
export function ColumnTable({
  columns,
  rowCount,
  known = null,
  shownAtFirst = shownAtOnce,
  use,
}: {
  columns: readonly DescribedColumn[];
  rowCount: number;
  known?: KnownColumns | null;
  shownAtFirst?: number;
  use?: ColumnUse;
}) {
  const [shown, setShown] = useState(shownAtFirst);
  const ordered = columns.toSorted((a, b) => Number(!!b.outside) - Number(!!a.outside));
  const hasRoles = columns.some(({ role }) => role !== undefined);
  const knownAs = new Map(known?.columns.map((column) => [column.name, column]));
  return (
    <>
      <Table>
        <thead>
          <tr>
            {use && <Th>Use</Th>}
            <Th>Column</Th>
            {hasRoles && <Th>Role</Th>}
            <Th>Type</Th>
            <Th>Range</Th>
            <Th>Distribution</Th>
            <Th className="text-right">Mean</Th>
            <Th className="text-right">Missing</Th>
          </tr>
        </thead>
        <tbody className="figures">
          {ordered.slice(0, shown).map((column) => (
            <tr key={column.name}>
              {use && (
                <Td>
                  {(column.role === "input" || column.role === "excluded") && (
                    <Checkbox
                      checked={use.isUsed(column.name)}
                      disabled={use.isFixed(column.name)}
                      onChange={() => use.onToggle(column.name)}
                      aria-label={`Use ${column.name} as input`}
                    />
                  )}
                </Td>
              )}
              <Td className="min-w-32 font-medium [overflow-wrap:anywhere]">{column.name}</Td>
              {hasRoles && (
                <Td>{column.role && <Badge tone={roleTones[column.role]}>{column.role}</Badge>}</Td>
              )}
              <Td className="text-ink-soft">{column.type}</Td>
              <Td className="max-w-72 min-w-32">
                <span className="block">{extent(column)}</span>
                {column.dateRule && (
                  <span className="block text-xs text-ink-faint">
                    follows the date: {datePartText(column.dateRule)}
                  </span>
                )}
                {known && column.type !== "timestamp" && knownAs.has(column.name) && (
                  <span className="block text-xs text-ink-faint">
                    {known.words} {extent(knownAs.get(column.name))}
                  </span>
                )}
                {column.outside && <OutsideMark outside={column.outside} rowCount={rowCount} />}
              </Td>
              <Td>
                <Distribution column={column} rowCount={rowCount} />
              </Td>
              <Td className="text-right">{column.type === "timestamp" ? "–" : formatNumber(column.mean)}</Td>
              <Td className="text-right">{formatInteger(column.missing)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {columns.length > shown && (
        <div className="p-3 text-center">
          <Button size="sm" onClick={() => setShown(shown + shownAtOnce)}>
            {columns.length - shown <= shownAtOnce
              ? `Show all ${formatInteger(columns.length)} columns`
              : `Show ${shownAtOnce} more of ${counted(columns.length, "column")}`}
          </Button>
        </div>
      )}
    </>
  );
}

/** Shows "401 of 1,999 rows outside the known range", and the unknown values of categories. */
function OutsideMark({
  outside: { rows, unseen, unseenCount },
  rowCount,
}: {
  outside: ColumnOutside;
  rowCount: number;
}) {
  const more = unseenCount - unseen.length;
  return (
    <span className="block text-xs font-medium text-warn">
      {formatInteger(rows)} of {counted(rowCount, "row")} outside the known range
      {unseen.length > 0 && `: ${unseen.join(", ")}`}
      {more > 0 && ` and ${formatInteger(more)} more`}
    </span>
  );
}
