"use client";

import { queryOptions, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { comparePath } from "#components/api/queries.ts";
import { rowLabels } from "#components/chart/axis.ts";
import { type PreparedComparison, prepareComparison } from "#components/chart/prepare-comparison.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { formatInteger, formatNumber, formatSigned } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Comparison } from "#lib/contract/scenario-series";
import { type CompareState, compareQuery } from "./compare-query.ts";

const ROW = 36;
const HEIGHT = 480;
const PAGE = 200;
const SPARE = 8;
/** Browsers place nothing further down than some millions of pixels; rows beyond are reached by zooming. */
const ROWS_MAX = 400_000;

/**
 * Every point of the shown span as numbers. Only the rows in sight exist, and only the pages that hold them are asked for.
 */
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
  const [top, setTop] = useState(0);
  const count = Math.min(pointCount, ROWS_MAX);
  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const last = Math.min(count, Math.ceil((top + HEIGHT) / ROW) + SPARE);
  const pages = [...new Set([Math.floor(first / PAGE), Math.floor(Math.max(first, last - 1) / PAGE)])];
  const loaded = useQueries({
    queries: pages.map((page) => pageOptions(projectId, state, page)),
  });
  const { series, kind } = prepared;
  const label = rowLabels(
    kind,
    prepared.points.map(({ x }) => x),
  );
  const cell = "px-4 text-right whitespace-nowrap";
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable with keys (WCAG 2.1.1)
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
              {kind === "time" ? "Time (UTC)" : "Row"}
            </th>
            {series.map(({ id, title, color, dash }) => (
              <th key={id} scope="col" className={classNames(cell, "border-b font-medium")}>
                <span className="inline-flex items-center gap-2">
                  <SeriesMark color={color} dash={dash} />
                  <span className="max-w-40 truncate">{title}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          <Gap height={first * ROW} />
          {Array.from({ length: last - first }, (_, index) => {
            const row = first + index;
            const page = loaded[pages.indexOf(Math.floor(row / PAGE))];
            const point = page?.data?.points[row % PAGE];
            return (
              <tr
                key={row}
                aria-rowindex={row + 2}
                style={{ height: ROW }}
                className="border-b border-line/70"
              >
                <td className="px-5 whitespace-nowrap text-ink-soft">
                  {point ? label(point.x) : page?.error ? "Could not be loaded" : "…"}
                </td>
                {series.map((one, at) => (
                  <td key={one.id} className={cell}>
                    {point && formatNumber(point[`v${at}`])}
                    {point && !one.isBaseline && (
                      <span className="ml-2 text-xs text-ink-faint">{formatSigned(point[`d${at}`])}</span>
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
          <Gap height={(count - last) * ROW} />
        </tbody>
      </table>
      {pointCount > count && (
        <p className="sticky left-0 px-5 py-3 text-xs text-ink-faint">
          The first {formatInteger(count)} of {counted(pointCount, "row")}. Zoom in to reach the others.
        </p>
      )}
    </section>
  );
}

function pageOptions(projectId: string, state: CompareState, page: number) {
  const query = compareQuery(state, { limit: PAGE, offset: page * PAGE });
  return queryOptions({
    queryKey: keys.compare(projectId, query),
    queryFn: ({ signal }) => api.get<Comparison>(comparePath(projectId, query), { signal }),
    select: (data) => prepareComparison(data, state.actuals),
  });
}

/** As high as the rows that are not there. */
function Gap({ height }: { height: number }) {
  return height > 0 ? (
    <tr>
      <td style={{ height, padding: 0 }} />
    </tr>
  ) : null;
}
