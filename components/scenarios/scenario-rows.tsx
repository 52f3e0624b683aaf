"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { queries } from "#components/api/queries";
import { Button } from "#components/ui/button";
import { Card, CardHeader } from "#components/ui/card";
import { classNames } from "#components/ui/class-names";
import { formatInteger } from "#components/ui/format";
import { SkeletonRows } from "#components/ui/skeleton";
import { ErrorState } from "#components/ui/states";
import { Table, Td, Th } from "#components/ui/table";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { Scenario } from "#lib/contract/scenarios";
import { inputText, intervalText, isOutside, predictionText } from "./row-text.tsx";

const pageSize = 10;
const offsetOf = (row: number) => Math.floor((row - 1) / pageSize) * pageSize;

/** What went in beside what came out, page by page; a row that is chosen is explained beside it. */
export function ScenarioRowsCard({
  scenario: { projectId, id, rowCount },
  row,
  onRow,
}: {
  scenario: Scenario;
  /** The chosen one, from 1. */
  row: number;
  onRow(row: number): void;
}) {
  const [offset, setOffset] = useState(offsetOf(row));
  const [followed, setFollowed] = useState(row);
  if (followed !== row) {
    setFollowed(row);
    setOffset(offsetOf(row));
  }
  const { data, error, refetch } = useQuery(queries.scenarioRows(projectId, id, offset, pageSize));
  const outside = useQuery(queries.extrapolation(projectId, id)).data?.features ?? [];
  const total = rowCount ?? 0;
  const last = Math.min(total, offset + pageSize);
  return (
    <Card>
      <CardHeader
        title="Rows"
        description={`What went in and what came out. Choose a row to see why.${outside.length > 0 ? " Marked values are outside of what the model was trained on." : ""}`}
        actions={
          <div className="figures flex items-center gap-1 text-[13px] text-ink-faint">
            <span className="mr-1">
              {formatInteger(offset + 1)}–{formatInteger(last)} of {formatInteger(total)}
            </span>
            <Button
              look="quiet"
              size="icon"
              aria-label="Earlier rows"
              disabled={offset === 0}
              onClick={() => setOffset(Math.max(0, offset - pageSize))}
            >
              <ChevronLeft className="size-4" />
            </Button>
            <Button
              look="quiet"
              size="icon"
              aria-label="Later rows"
              disabled={last >= total}
              onClick={() => setOffset(offset + pageSize)}
            >
              <ChevronRight className="size-4" />
            </Button>
          </div>
        }
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <SkeletonRows rows={Math.min(pageSize, total)} />}
      {data && <RowTable page={data} outside={outside} row={row} onRow={onRow} />}
    </Card>
  );
}

function RowTable({
  page,
  outside,
  row: chosen,
  onRow,
}: {
  page: ScenarioRows;
  outside: Extrapolation["features"];
  row: number;
  onRow(row: number): void;
}) {
  const columns = page.columns.map((column) => ({
    ...column,
    right: column.type === "number" && "text-right",
    outside: outside.find(({ feature }) => feature === column.name),
  }));
  return (
    <Table>
      <thead>
        <tr>
          <Th>Row</Th>
          <Th className="text-right">Prediction</Th>
          <Th className="text-right">90 % interval</Th>
          {columns.map(({ name, right, computed }) => (
            <Th key={name} className={classNames("max-w-48 truncate font-mono", right)} title={name}>
              {name}
              {computed && <span className="ml-1.5 font-sans font-normal">upstream</span>}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody className="figures">
        {page.rows.map(({ row, prediction, lower, upper, input }) => (
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
            <Td className="py-0 text-right font-medium">{predictionText(prediction)}</Td>
            <Td className="py-0 text-right text-ink-faint">{intervalText(lower, upper)}</Td>
            {columns.map(({ name, type, right, ...column }, index) => {
              const value = input[index] ?? null;
              const marked = column.outside !== undefined && isOutside(value, column.outside);
              return (
                <Td
                  key={name}
                  className={classNames("max-w-48 truncate py-0", right, marked && "font-medium text-warn")}
                >
                  {inputText(value, type)}
                  {marked && <span className="sr-only"> (outside of what the model was trained on)</span>}
                </Td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
