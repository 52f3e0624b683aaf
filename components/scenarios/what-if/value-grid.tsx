"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { queries } from "#components/api/queries.ts";
import { rowLabels } from "#components/chart/axis.ts";
import { useDisplays } from "#components/display/displays.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { RowPager } from "#components/scenarios/row-pager.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { limits } from "#lib/contract/limits";
import type { InputFeature } from "#lib/contract/models";
import type { Scenario } from "#lib/contract/scenarios";
import type { Recipe } from "./edits.ts";
import { copiedText, editedInputs, pastedCells, readCells, withCells } from "./value-grid.ts";

/** Rows of a page: a day of hours. */
const PAGE_ROWS = 24;

/** Shows the inputs after the changes as cells, which are typed over or pasted from a spreadsheet. */
export function ValueGrid({
  scenario,
  features,
  recipe,
  onRecipe,
}: {
  /** Scenario with times. */
  scenario: Scenario;
  /** Inputs that can be changed. */
  features: readonly InputFeature[];
  recipe: Recipe;
  onRecipe(recipe: Recipe): void;
}) {
  const displays = useDisplays();
  const [offset, setOffset] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const {
    data,
    error: failure,
    refetch,
  } = useQuery(queries.scenarioRows(scenario.projectId, scenario.id, offset, PAGE_ROWS));
  const inputs = useMemo(() => (data ? editedInputs(data, recipe) : []), [data, recipe]);
  if (failure) return <ErrorState error={failure} onRetry={refetch} />;
  if (!data) return <SkeletonRows rows={6} />;
  const places = new Map(data.columns.map(({ name }, at) => [name, at]));
  const shown = features.filter(({ name }) => places.has(name));
  const textAt = (row: number, name: string) => String(inputs[row]?.[places.get(name)!] ?? "");
  const formats = shown.map(({ name }) => {
    const values = inputs.map((input) => input[places.get(name)!]);
    return displays(name).formatOf(values.map((value) => (typeof value === "number" ? value : null)));
  });
  const xs = Float64Array.from(data.rows, ({ timestamp }) => Date.parse(timestamp ?? ""));
  const labelOf = rowLabels({ kind: "time", xs });

  const enter = (texts: readonly (readonly string[])[], row: number, column: number) => {
    const names = shown.slice(column).map(({ name }) => name);
    const { cells, error } = readCells(texts, data, row, names);
    const changed = cells.filter((cell) => String(cell.value) !== textAt(cell.row, cell.feature));
    const next = error === null ? withCells(recipe, changed, data) : recipe;
    setError(
      error ??
        (next
          ? null
          : `A scenario takes at most ${limits.adjustmentsMax} changes. Upload a CSV file for more.`),
    );
    if (next && changed.length > 0) onRecipe(next);
  };
  const move = (row: number, column: number) =>
    table.current?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"]`)?.focus();
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <CopyButton size="sm" label="Copy rows" text={copiedText(data, inputs)} />
        <RowPager {...{ offset, pageSize: PAGE_ROWS, total: data.rowCount, onOffset: setOffset }} />
      </div>
      <FormError message={error ?? undefined} />
      <div className="max-h-[28rem] overflow-auto rounded-md border">
        <table
          ref={table}
          aria-label="Values of the inputs"
          className="figures w-full border-collapse text-xs"
        >
          <thead className="sticky top-0 z-10 bg-surface text-ink-faint">
            <tr>
              <th scope="col" className="sticky left-0 bg-surface px-2 py-1.5 text-left font-medium">
                Time (UTC)
              </th>
              {shown.map(({ name }) => (
                <th key={name} scope="col" title={name} className="max-w-32 truncate px-2 font-medium">
                  <bdi>{displays(name).title}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map(({ row, input }, at) => (
              <tr key={row} className="border-t">
                <th
                  scope="row"
                  className="sticky left-0 bg-surface px-2 text-left font-normal whitespace-nowrap text-ink-soft"
                >
                  {labelOf(xs[at]!)}
                </th>
                {shown.map(({ name, type }, column) => {
                  const [text, value] = [textAt(at, name), inputs[at]?.[places.get(name)!]];
                  return (
                    <td key={name} className="p-0">
                      <GridCell
                        place={`${at} ${column}`}
                        label={`${displays(name).name}, ${labelOf(xs[at]!)}`}
                        isNumber={type === "number"}
                        isEdited={text !== String(input[places.get(name)!] ?? "")}
                        text={text}
                        shown={typeof value === "number" ? formats[column]!(value) : text}
                        onEnter={(texts) => enter(texts, at, column)}
                        onMove={(down) => move(at + down, column)}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-xs text-ink-faint">Type a value, or paste cells from a spreadsheet.</p>
    </div>
  );
}

/** A cell. Enter and the vertical arrows move to its neighbours, as in a spreadsheet. */
function GridCell({
  place,
  label,
  isNumber,
  isEdited,
  text,
  shown,
  onEnter,
  onMove,
}: {
  place: string;
  label: string;
  isNumber: boolean;
  isEdited: boolean;
  text: string;
  /** The text with fewer digits. */
  shown: string;
  /** Takes the typed text, or the cells that were pasted from here to the right and down. */
  onEnter(texts: readonly (readonly string[])[]): void;
  onMove(down: number): void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  return (
    <input
      data-cell={place}
      aria-label={label}
      value={typed ?? (isFocused ? text : shown)}
      inputMode={isNumber ? "decimal" : "text"}
      className={classNames(
        "h-7 w-full min-w-20 bg-transparent px-2",
        isNumber && "text-right",
        isEdited && "bg-accent-wash font-medium",
      )}
      onChange={({ target }) => setTyped(target.value)}
      onFocus={({ currentTarget }) => {
        // The whole text must be there before it is selected.
        flushSync(() => setFocused(true));
        currentTarget.select();
      }}
      onBlur={() => {
        if (typed !== null && typed !== text) onEnter([[typed]]);
        setTyped(null);
        setFocused(false);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") setTyped(null);
        const down = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key];
        if (down === undefined) return;
        event.preventDefault();
        onMove(down);
      }}
      onPaste={(event) => {
        const texts = pastedCells(event.clipboardData.getData("text/plain"));
        if (texts.length === 1 && texts[0]!.length === 1) return;
        event.preventDefault();
        onEnter(texts);
        setTyped(null);
      }}
    />
  );
}
