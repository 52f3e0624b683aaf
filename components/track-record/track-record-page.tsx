"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useQueryState } from "nuqs";
import { describeErrors } from "#components/actuals/describe-errors.ts";
import { type ErrorRow, ErrorTable } from "#components/actuals/error-table.tsx";
import { RecordChart } from "#components/actuals/record-chart.tsx";
import { periodHeads, periodName } from "#components/actuals/record-periods.ts";
import { queries } from "#components/api/queries.ts";
import { fileName, saveAs } from "#components/chart/save-chart.ts";
import { TargetOf, useDisplays } from "#components/display/displays.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { ForecastErrors } from "#lib/contract/actuals";
import { counted } from "#lib/contract/counted";
import type { TrackRecord } from "#lib/contract/track-record";
import { CheckpointRecordCard } from "./checkpoint-record-card.tsx";
import { DecisionsCard } from "./decisions-card.tsx";
import { OverrideRecordCard } from "./override-record-card.tsx";
import { biasText, sinceText, stepsName } from "./track-record-text.ts";

/** Shows how a project's forecasts compare with what came. */
export function TrackRecordPage({ projectId }: { projectId: string }) {
  const [scenarioId, setScenarioId] = useQueryState("scenario");
  const record = useQuery(queries.trackRecord(projectId, scenarioId ?? undefined));
  const { data } = record;
  return (
    <>
      <PageHeader
        title="Track record"
        description="Predictions that each run made before the actual values arrived, beside these values."
        actions={
          <>
            <ScenarioFilter
              projectId={projectId}
              value={scenarioId}
              onChange={(id) => void setScenarioId(id)}
            />
            {data?.errors && <SaveWorkbook projectId={projectId} record={data} />}
          </>
        }
      />
      <QueryState query={record} rows={6} inCard />
      <div className="space-y-6">
        {data && data.errors === null && (
          <Card>
            <EmptyState
              title="Nothing to compare yet"
              action={<ButtonLink href={`/projects/${projectId}/scenarios`}>Go to scenarios</ButtonLink>}
            >
              {data.reason}
            </EmptyState>
          </Card>
        )}
        {data?.errors && data.target !== null && (
          <TargetOf column={data.target}>
            <Record record={data} errors={data.errors} target={data.target} />
          </TargetOf>
        )}
        <DecisionsCard projectId={projectId} />
      </div>
    </>
  );
}

/** Chooses one of the newest scenarios. Those based on others do not count. */
function ScenarioFilter({
  projectId,
  value,
  onChange,
}: {
  projectId: string;
  value: string | null;
  onChange(id: string | null): void;
}) {
  const scenarios = useInfiniteQuery(queries.scenarios(projectId));
  const listed = scenarios.data?.filter(({ source }) => source !== "Clone") ?? [];
  const other = useQuery({
    ...queries.scenario(projectId, value),
    enabled: value !== null && scenarios.data !== undefined && !listed.some(({ id }) => id === value),
  }).data;
  return (
    <Select
      aria-label="Scenario"
      className="!w-56"
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value || null)}
      options={[...(other ? [other] : []), ...listed].map(({ id, title }) => [id, title])}
    >
      <option value="">All scenarios</option>
    </Select>
  );
}

/** Saves the track record and the decisions as an Excel workbook. */
function SaveWorkbook({ projectId, record }: { projectId: string; record: TrackRecord }) {
  const decisions = useQuery(queries.decisions(projectId)).data;
  const displays = useDisplays();
  const nameOf = useMemberNames();
  const save = async () => {
    const [{ default: writeXlsxFile }, { recordSheets }] = await Promise.all([
      import("write-excel-file/browser"),
      import("./record-sheets.ts"),
    ]);
    const target = displays(record.target ?? "");
    const sheets = recordSheets(record, decisions ?? [], { target, nameOf });
    saveAs(await writeXlsxFile(sheets).toBlob(), fileName(`Track record of ${target.name}`, "xlsx"));
  };
  return (
    <Button disabled={decisions === undefined} onClick={() => void save()}>
      <Download className="size-4" /> Excel workbook
    </Button>
  );
}

function Record({ record, errors, target }: { record: TrackRecord; errors: ForecastErrors; target: string }) {
  const displays = useDisplays();
  const { baselineName, horizons, periods, period, isTotal, runs, omittedRuns, overrides } = record;
  const summary = describeErrors(errors, displays(target), baselineName, "prediction");
  const all: ErrorRow = { name: "All predictions", ...errors };
  return (
    <div className="space-y-6">
      <Card>
        <CardHeader
          title={isTotal ? "Forecast totals and what came" : "Forecasts and what came"}
          description={`${summary} ${[sinceText(record), biasText(periods, period)].filter(Boolean).join(" ")}`}
        />
        <RecordChart points={record} title="Last forecast" label={summary}>
          The line and its 90 % band are the last forecast before each value. Dashed: what came.
          {isTotal && " Totals of many series have no naive forecast."}
        </RecordChart>
      </Card>
      <Card>
        <CardHeader
          title="By steps ahead"
          description={`Predictions of ${counted(runs, "run")}. Forecast and naive forecast are compared on the same rows.${omittedRuns > 0 ? ` ${counted(omittedRuns, "older or longer run")} left out.` : ""}`}
        />
        <ErrorTable
          first="Steps ahead"
          baselineName={baselineName}
          rows={[...horizons.map((one) => ({ name: stepsName(one), ...one })), all]}
        />
      </Card>
      <Card>
        <CardHeader title="Over time" description="A positive bias means that the forecast was too high." />
        <ErrorTable
          first={periodHeads[period]}
          baselineName={baselineName}
          rows={[...periods.map((one) => ({ name: periodName(one.from, record), ...one })), all]}
        />
      </Card>
      {record.checkpoints.length > 0 && <CheckpointRecordCard {...record} />}
      {overrides && <OverrideRecordCard record={record} overrides={overrides} />}
    </div>
  );
}
