"use client";

import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { axisName, incompleteNote, rowLabels } from "#components/chart/axis.ts";
import { type PreparedComparison, prepareComparison } from "#components/chart/prepare-comparison.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { useTarget } from "#components/display/displays.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { formatInteger, formatSigned } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import { type CompareState, compareQuery } from "./compare-query.ts";

const ROW = 36;
const HEIGHT = 480;
const PAGE = 200;
const SPARE = 8;
/** Maximum table height in pixels: browsers cannot lay out taller elements. Further rows are reachable by zooming. */
const ROWS_MAX = 400_000;

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
  const [scrolled, setTop] = useState(0);
  const count = Math.min(pointCount, ROWS_MAX);
  // A table that has become shorter is scrolled beyond its end until the browser corrects it.
  const top = Math.min(scrolled, Math.max(0, (count + 1) * ROW - HEIGHT));
  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const last = Math.min(count, Math.ceil((top + HEIGHT) / ROW) + SPARE);
  const pages = [...new Set([Math.floor(first / PAGE), Math.floor(Math.max(first, last - 1) / PAGE)])];
  const loaded = useQueries({
    queries: pages.map((page) => pageOptions(projectId, state, page)),
  });
  // Prepared here: React Query compares selected data deeply, and takes new typed arrays for a change on each render.
  const shown = loaded.map(({ data }) => (data ? prepareComparison(data, state.actuals) : undefined));
  const { series } = prepared;
  const format = useMemo(
    () => target.formatOf(series.flatMap(({ values }) => Array.from(values))),
    [target, series],
  );
  const label = rowLabels(prepared);
  const cell = "px-4 text-right whitespace-nowrap";
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must work with keys (WCAG 2.1.1)
      tabIndex={0}
      aria-label="Values"
      className="overflow-auto"
      style={{ height: HEIGHT }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table className="w-full border-collapse text-[13px]" aria-rowcount={pointCount + 1}>
        <thead className="sticky top-0 z-10 bg-surface text-xs text-ink-faint">
          <tr aria-rowindex={1} style={{ height: ROW }}>
            <th scope="col" className="border-b px-5 text-left font-medium">
              {axisName(prepared)}
            </th>
            {series.map(({ id, title, color, dash }) => (
              <th key={id} scope="col" className={classNames(cell, "border-b font-medium")}>
                <span className="inline-flex items-center gap-2">
                  <SeriesMark color={color} dash={dash} />
                  <span className="max-w-40 truncate" title={title}>
                    {title}
                  </span>
                  {target.unit !== null && <span className="text-ink-faint">({target.unit})</span>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          <Gap height={first * ROW} />
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
                style={{ height: ROW }}
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
                    </td>
                  );
                })}
              </tr>
            );
          })}
          <Gap height={(count - last) * ROW} />
        </tbody>
      </table>
      {pointCount > count && (
        <p className="sticky left-0 px-5 py-3 text-xs text-ink-faint">
          The first {formatInteger(count)} of {counted(pointCount, "row")}. Zoom in to see other rows.
        </p>
      )}
    </section>
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
