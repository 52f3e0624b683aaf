"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { RowTable } from "./row-table.tsx";
import { useActualRows } from "./use-actual-rows.ts";
import { goesOutside } from "./use-outside.ts";

const pageSize = 10;
const offsetOf = (row: number) => Math.floor((row - 1) / pageSize) * pageSize;

/** Shows inputs and predictions page by page, with an explanation of the selected row. */
export function ScenarioRowsCard({
  scenario,
  row,
  onRow,
}: {
  scenario: Scenario;
  /** Selected row, starting at 1. */
  row: number;
  onRow(row: number): void;
}) {
  const { projectId, id, rowCount } = scenario;
  const [offset, setOffset] = useState(offsetOf(row));
  const [followed, setFollowed] = useState(row);
  if (followed !== row) {
    setFollowed(row);
    setOffset(offsetOf(row));
  }
  const { data, error, refetch } = useQuery(queries.scenarioRows(projectId, id, offset, pageSize));
  const extrapolation = useQuery(queries.extrapolation(projectId, id)).data;
  const outside = extrapolation?.features ?? [];
  const marksValues = extrapolation ? outside.length > 0 : goesOutside(scenario);
  const actual = useActualRows(projectId, id, data);
  const total = rowCount ?? 0;
  const last = Math.min(total, offset + pageSize);
  return (
    <Card>
      <CardHeader
        title="Rows"
        description={`Inputs and predictions. Select a row for an explanation.${marksValues ? " Marked values are outside the known range." : ""}`}
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
      {(!data || actual.isAsked) && !error && <SkeletonRows rows={Math.min(pageSize, total)} />}
      {actual.error && (
        <p role="alert" className="px-5 pb-3 text-[13px] text-bad">
          Actuals could not be loaded: {actual.error.message}
        </p>
      )}
      {data && !actual.isAsked && (
        <RowTable
          page={data}
          outside={outside}
          actualAt={actual.isKnown && !actual.error ? actual.at : null}
          row={row}
          onRow={onRow}
        />
      )}
    </Card>
  );
}
