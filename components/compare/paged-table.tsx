"use client";

import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { axisName, incompleteNote, rowLabels } from "#components/chart/axis.ts";
import { intervalAt } from "#components/chart/chart-tooltip.tsx";
import { type PreparedComparison, prepareComparison } from "#components/chart/prepare-comparison.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { formatInteger, formatSigned } from "#components/ui/format.ts";
import { WideContent } from "#components/ui/table.tsx";
import { counted } from "#lib/contract/counted";
import { type CompareState, compareQuery } from "./compare-query.ts";

const PLAIN_ROW = 36;
/** Height of a row with a second line for the intervals. */
const INTERVAL_ROW = 48;
const HEIGHT = 480;
const PAGE = 200;
const SPARE = 8;
/** Maximum table height in pixels: browsers cannot lay out taller elements. Further rows are reachable by zooming. */
const HEIGHT_MAX = 14_400_000;

/** Lists every point of the shown span. Renders only the visible rows and loads only their pages. */
export function PagedTable({
  projectId,
  state,
  prepared,
  pointCount,
}: {
  projectId: string;
  state: CompareState;
  prepared: PreparedComparison;
  pointCount: number;
}) {
  const target = useTarget();
  const calendar = useCalendar();
  const { series } = prepared;
  const withIntervals = state.bands && series.some(({ band }) => band !== null);
  const rowHeight = withIntervals ? INTERVAL_ROW : PLAIN_ROW;
  const [scrolled, setTop] = useState(0);
  const count = Math.min(pointCount, Math.floor(HEIGHT_MAX / rowHeight));
  // A table that has become shorter is scrolled beyond its end until the browser corrects it.
  const top = Math.min(scrolled, Math.max(0, (count + 1) * rowHeight - HEIGHT));
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const last = Math.min(count, Math.ceil((top + HEIGHT) / rowHeight) + SPARE);
  const pages = [...new Set([Math.floor(first / PAGE), Math.floor(Math.max(first, last - 1) / PAGE)])];
  const loaded = useQueries({
    queries: pages.map((page) => pageOptions(projectId, state, page)),
  });
  // Prepared here: React Query compares selected data deeply, and takes new typed arrays for a change on each render.
  const shown = loaded.map(({ data }) =>
    data ? prepareComparison(data, state.actuals, calendar) : undefined,
  );
  const format = useMemo(
    () => target.formatOf(series.flatMap(({ values }) => Array.from(values))),
    [target, series],
  );
  const label = rowLabels(prepared);
  const cell = "px-4 text-right whitespace-nowrap";
  return (
    <WideContent
      label="Values"
      more="columns"
      height={HEIGHT}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table className="w-full border-collapse text-[13px]" aria-rowcount={pointCount + 1}>
        <thead className="sticky top-0 z-10 bg-surface text-xs text-ink-faint">
          <tr aria-rowindex={1} style={{ height: rowHeight }}>
            <th scope="col" className="border-b px-5 text-left font-medium">
              {axisName(prepared)}
            </th>
            {series.map(({ id, title, color, dash, band }) => (
              <th key={id} scope="col" className={classNames(cell, "border-b font-medium")}>
                <span className="inline-flex items-center gap-2">
                  <SeriesMark color={color} dash={dash} />
                  <span className="max-w-40 truncate" title={title}>
                    {title}
                  </span>
                  {target.unit !== null && <span className="text-ink-faint">({target.unit})</span>}
                </span>
                {withIntervals && band && <span className="block font-normal">90 % interval</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          <Gap height={first * rowHeight} />
          {Array.from({ length: last - first }, (_, index) => {
            const row = first + index;
            const at = pages.indexOf(Math.floor(row / PAGE));
            const page = shown[at];
            const place = row % PAGE;
            const x = page?.xs[place];
            const note = page && incompleteNote(page, place);
            return (
              <tr
                key={row}
                aria-rowindex={row + 2}
                style={{ height: rowHeight }}
                className="border-b border-line/70"
              >
                <td className="px-5 whitespace-nowrap text-ink-soft">
                  {x !== undefined ? label(x) : loaded[at]?.error ? "Failed to load" : "…"}
                  {note && (
                    <span className="ml-2 text-xs text-ink-faint">
                      {/* The text below the table has the rows. */}
                      <span className="sm:hidden">{note.split(":", 1)}</span>
                      <span className="max-sm:hidden">{note}</span>
                    </span>
                  )}
                </td>
                {series.map(({ id }) => {
                  // While the selection changes, the page may have other series than the head.
                  const loadedSeries = page?.series.find((one) => one.id === id);
                  return (
                    <td key={id} className={cell}>
                      {x !== undefined && format(loadedSeries?.values[place])}
                      {x !== undefined && loadedSeries && !loadedSeries.isBaseline && (
                        <span className="ml-2 text-xs text-ink-faint">
                          {formatSigned(loadedSeries.differences?.[place], format)}
                        </span>
                      )}
                      {withIntervals && x !== undefined && loadedSeries?.band && (
                        <>
                          {/* Keeps both numbers apart in copied text. */}{" "}
                          <span className="block text-xs text-ink-faint">
                            {intervalAt(loadedSeries, place, format)}
                          </span>
                        </>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
          <Gap height={(count - last) * rowHeight} />
        </tbody>
      </table>
      {pointCount > count && (
        <p className="sticky left-0 px-5 py-3 text-xs text-ink-faint">
          The first {formatInteger(count)} of {counted(pointCount, "row")}. Zoom in to see other rows.
        </p>
      )}
    </WideContent>
  );
}

function pageOptions(projectId: string, state: CompareState, page: number) {
  return queries.comparePage(projectId, compareQuery(state, { limit: PAGE, offset: page * PAGE }));
}

/** Spacer with the height of the rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return height > 0 ? (
    <tr>
      <td style={{ height, padding: 0 }} />
    </tr>
  ) : null;
}
