"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { formatInteger, formatInterval } from "#components/ui/format.ts";
import { Segments } from "#components/ui/segments.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import type { OutlookPeriod, OutlookUnit } from "#lib/contract/outlook";
import type { Scenario } from "#lib/contract/scenarios";
import { outlookCsv, outlookPeriodText, outlookUnits } from "./outlook-text.ts";

/** Shows actual values to date and the forecast of the rest, by period. */
export function OutlookCard({
  scenario: { projectId, id },
  where,
}: {
  scenario: Scenario;
  /** Of many series, those to include. */
  where: readonly string[];
}) {
  const { frequency, timezone } = useCalendar();
  const units = outlookUnits(frequency);
  const [chosen, setUnit] = useState<OutlookUnit>();
  const unit = chosen ?? units[0]![0];
  const outlook = useQuery(queries.outlook(projectId, id, unit, where));
  const target = useTarget();
  const { data } = outlook;
  const format = target.formatOf(
    data?.flatMap(({ actual, forecast, total, lower, upper }) => [actual, forecast, total, lower, upper]) ??
      [],
  );
  const columns: DataColumn<OutlookPeriod>[] = [
    ["Period", (one) => outlookPeriodText(one, unit, timezone), "whitespace-nowrap"],
    [target.head("Actual to date"), withRows("actual", format), "text-right"],
    [target.head("Forecast of the rest"), withRows("forecast", format), "text-right"],
    [target.head("Total"), ({ total }) => format(total), "text-right font-medium"],
    [
      target.head("90 % interval"),
      ({ lower, upper }) => formatInterval(lower, upper, format),
      "text-right text-ink-faint whitespace-nowrap",
    ],
  ];
  return (
    <Card>
      <CardHeader
        title="Outlook"
        description="Sums of actual values to date and of the forecast of the rest. Only the rest has an interval."
        actions={
          <>
            <Segments<OutlookUnit> label="Period" options={units} value={unit} onChange={setUnit} />
            {data && data.length > 0 && <CopyButton size="sm" label="Copy as CSV" text={outlookCsv(data)} />}
          </>
        }
      />
      <QueryState query={outlook} rows={2} inCard />
      {data?.length === 0 && (
        <p className="px-5 pb-5 text-[13px] text-ink-faint">The scenario has no values in a whole period.</p>
      )}
      {data && data.length > 0 && <DataTable columns={columns} rows={data} keyOf={(one) => one.start} />}
    </Card>
  );
}

/** Shows a sum with the number of its rows. */
function withRows(name: "actual" | "forecast", format: (value: number | null) => string) {
  return (period: OutlookPeriod) => (
    <>
      {format(period[name])}
      <span className="ml-2 text-xs text-ink-faint" title="Rows">
        {formatInteger(period[`${name}Rows`])}
      </span>
    </>
  );
}
