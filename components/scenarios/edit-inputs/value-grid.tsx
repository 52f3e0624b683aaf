"use client";

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { queries } from "#components/api/queries.ts";
import { axisOf, rowLabels } from "#components/chart/axis.ts";
import { useWidth } from "#components/chart/use-size.ts";
import { useCalendar, useDisplays } from "#components/display/displays.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { RowPager } from "#components/ui/row-pager.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { counted } from "#lib/contract/counted";
import { limits } from "#lib/contract/limits";
import type { InputFeature } from "#lib/contract/models";
import type { Scenario } from "#lib/contract/scenarios";
import type { Recipe } from "./edits.ts";
import { type Cell, editedInputs, pastedCells, readCells, withCells } from "./value-grid.ts";

/** Rows of a page: a day of hours. */
const PAGE_ROWS = 24;
const FIRST_CELL = "0 0";
/** Width of the column of times, and the least width of an input's column, in pixels. */
const TIME_WIDTH = 136;
const CELL_WIDTH_MIN = 76;

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
  const calendar = useCalendar();
  const [offset, setOffset] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  // The cell that Tab reaches. Arrow keys reach the others.
  const [entry, setEntry] = useState(FIRST_CELL);
  const table = useRef<HTMLTableElement>(null);
  const { ref: box, width } = useWidth();
  const { data, isPlaceholderData, error, refetch } = useQuery(
    queries.scenarioRows(scenario.projectId, scenario.id, { offset, limit: PAGE_ROWS }),
  );
  const inputs = useMemo(() => (data ? editedInputs(data, recipe) : []), [data, recipe]);
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : <SkeletonRows rows={6} />;
  const places = new Map(data.columns.map(({ name }, at) => [name, at]));
  const columns = features
    .filter(({ name }) => places.has(name))
    .map(({ name, type }) => {
      const values = inputs.map((input) => input[places.get(name)!]!);
      const format = displays(name).formatOf(
        values.map((value) => (typeof value === "number" ? value : null)),
      );
      return { name, type, values, format, place: places.get(name)! };
    });
  const axis = axisOf({ timestamps: data.rows.map(({ timestamp }) => timestamp ?? "") }, calendar);
  const labelOf = rowLabels(axis);
  // Whole columns fill the box, because a cut one is read as another number.
  const fitting = Math.max(1, Math.floor((width - TIME_WIDTH) / CELL_WIDTH_MIN));
  const cellWidth = Math.max(
    CELL_WIDTH_MIN,
    Math.floor((width - TIME_WIDTH) / Math.min(fitting, Math.max(1, columns.length))),
  );
  const hidden = width > 0 ? columns.length - fitting : 0;
  const textOf = (value: Cell["value"]) => String(value ?? "");

  const enter = (cells: readonly Cell[], note: string | null = null) => {
    const next = withCells(recipe, cells, data);
    setProblem(
      next ? note : `A scenario takes at most ${limits.adjustmentsMax} changes. Upload a CSV file for more.`,
    );
    if (next) onRecipe(next);
  };
  const type = (text: string, row: number, column: number) => {
    const { name, values } = columns[column]!;
    if (text.trim() === "") return enter([{ row, feature: name, value: null }]);
    const { cells, error } = readCells([[text]], data, row, [name]);
    if (error) return setProblem(`${displays(name).name}, ${labelOf(axis.xs[row]!)}: ${error}`);
    if (textOf(cells[0]!.value) !== textOf(values[row]!)) enter(cells);
  };
  const paste = (texts: string[][], row: number, column: number) => {
    const shown = columns.slice(column);
    const { cells, error } = readCells(
      texts,
      data,
      row,
      shown.map(({ name }) => name),
    );
    if (error) return setProblem(`Nothing was pasted: ${error}`);
    const present = (cell: Cell) => shown.find(({ name }) => name === cell.feature)!.values[cell.row]!;
    const rowsLeft = texts.length - (data.rows.length - row);
    enter(
      cells.filter((cell) => textOf(cell.value) !== textOf(present(cell))),
      rowsLeft > 0
        ? `${counted(rowsLeft, "pasted row")} did not fit on this page of ${PAGE_ROWS} rows.`
        : null,
    );
  };
  const move = (row: number, column: number) => {
    const next = table.current?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"]`);
    next?.focus();
    return next != null;
  };
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <CopyButton
          size="sm"
          label="Copy values"
          text={inputs
            .map((_, row) => columns.map(({ values }) => textOf(values[row]!)).join("\t"))
            .join("\n")}
        />
        <RowPager
          {...{ offset, pageSize: PAGE_ROWS, total: data.rowCount }}
          onOffset={(next) => {
            setOffset(next);
            setEntry(FIRST_CELL);
            setProblem(null);
          }}
        />
      </div>
      <FormError message={problem ?? undefined} />
      <div
        ref={box}
        className="max-h-[28rem] scroll-pt-8 overflow-auto rounded-md border"
        style={{ scrollPaddingLeft: TIME_WIDTH }}
        inert={isPlaceholderData}
        aria-busy={isPlaceholderData}
      >
        <table
          ref={table}
          aria-label="Values of the inputs"
          className="figures table-fixed border-collapse text-xs"
          style={{ width: TIME_WIDTH + columns.length * cellWidth }}
        >
          <thead className="sticky top-0 z-10 bg-surface text-ink-faint">
            <tr>
              <th
                scope="col"
                style={{ width: TIME_WIDTH }}
                className="sticky left-0 bg-surface px-2 py-1.5 text-left font-medium"
              >
                Time (UTC)
              </th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" title={name} className="truncate px-2 font-medium">
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
                  {labelOf(axis.xs[at]!)}
                </th>
                {columns.map(({ name, values, format, place }, column) => {
                  const value = values[at]!;
                  const cell = `${at} ${column}`;
                  return (
                    <td key={name} className="p-0">
                      <GridCell
                        place={cell}
                        isEntry={cell === entry}
                        label={`${displays(name).name}, ${labelOf(axis.xs[at]!)}`}
                        isNumber={typeof value === "number"}
                        isEdited={value !== input[place]}
                        text={textOf(value)}
                        shown={typeof value === "number" ? format(value) : textOf(value)}
                        onFocus={() => setEntry(cell)}
                        onType={(text) => type(text, at, column)}
                        onPaste={(texts) => paste(texts, at, column)}
                        onMove={(down, right) => move(at + down, column + right)}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-xs text-ink-faint">
        {hidden > 0 && `Scroll sideways for ${counted(hidden, "more input", "more inputs")}. `}
        Type a value, or paste cells from a spreadsheet. An empty cell gets its saved value again.
        {new Set(axis.xs).size < axis.xs.length && " A value applies to all rows with the same time."}
      </p>
    </div>
  );
}

const moves: Record<string, readonly [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** A cell. Enter and the arrow keys move to its neighbours, as in a spreadsheet. */
function GridCell({
  place,
  isEntry,
  label,
  isNumber,
  isEdited,
  text,
  shown,
  onFocus,
  onType,
  onPaste,
  onMove,
}: {
  place: string;
  /** Whether Tab reaches this cell. */
  isEntry: boolean;
  label: string;
  isNumber: boolean;
  isEdited: boolean;
  text: string;
  /** The text with fewer digits. */
  shown: string;
  onFocus(): void;
  onType(text: string): void;
  /** Takes cells that were pasted from here to the right and down. */
  onPaste(texts: string[][]): void;
  /** Returns whether there is a cell to move to. */
  onMove(down: number, right: number): boolean;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  const commit = () => {
    if (typed !== null && typed !== text) onType(typed);
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (typed !== null && (event.key === "Escape" || isUndo)) {
      // Undoes only what was typed, not the latest change of the panel.
      event.preventDefault();
      event.stopPropagation();
      return setTyped(null);
    }
    const move = moves[event.key];
    if (!move) return;
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    // Within a text that is being changed, arrows move the caret.
    if (move[1] !== 0 && !(selectionStart === 0 && selectionEnd === value.length)) return;
    event.preventDefault();
    // The move takes the focus from the cell, which commits the text.
    if (!onMove(...move)) commit();
  };
  return (
    <input
      data-cell={place}
      tabIndex={isEntry ? 0 : -1}
      aria-label={isEdited ? `${label}, changed` : label}
      value={typed ?? (isFocused ? text : shown)}
      inputMode={isNumber ? "decimal" : "text"}
      className={classNames(
        "h-7 w-full min-w-0 px-2",
        isNumber && "text-right",
        isEdited ? "bg-accent-wash font-medium" : "bg-transparent",
      )}
      onChange={({ target }) => setTyped(target.value)}
      onFocus={({ currentTarget }) => {
        onFocus();
        // The whole text must be there before it is selected.
        flushSync(() => setFocused(true));
        currentTarget.select();
      }}
      onBlur={() => {
        commit();
        setFocused(false);
      }}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        const texts = pastedCells(event.clipboardData.getData("text/plain"));
        if (texts.length === 1 && texts[0]!.length === 1) return;
        event.preventDefault();
        setTyped(null);
        onPaste(texts);
      }}
    />
  );
}
