"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { Time } from "#components/ui/time.tsx";
import { AddRowsButton } from "./add-rows-button.tsx";
import { DatasetProfile } from "./dataset-profile.tsx";
import { HistoryCard } from "./history-card.tsx";
import { RowsCard } from "./rows-card.tsx";
import { SeriesCard } from "./series-card.tsx";

const DatasetForm = dynamic(() => import("./dataset-form.tsx"), { ssr: false });

export function DataPage({ projectId }: { projectId: string }) {
  const may = useMay();
  const dataset = useQuery(queries.dataset(projectId));
  const [replacing, setReplacing] = useState(false);
  return (
    <>
      <PageHeader
        title="Data"
        description="Training data: one CSV or Excel file that includes the column to predict."
      />
      <QueryState query={dataset} rows={6} inCard />
      {dataset.data && !replacing && (
        <div className="space-y-6">
          <Card>
            <CardHeader
              title={dataset.data.fileName ?? "Dataset"}
              description={
                <>
                  Saved <Time at={dataset.data.createdAt} />.
                </>
              }
              actions={
                <>
                  {may("putDataset") && <Button onClick={() => setReplacing(true)}>Replace</Button>}
                  <AddRowsButton projectId={projectId} />
                  {may("trainModel") && (
                    <ButtonLink look="primary" href={`/projects/${projectId}/model?open=train`}>
                      Train a model
                    </ButtonLink>
                  )}
                </>
              }
            />
            <DatasetProfile projectId={projectId} dataset={dataset.data} />
          </Card>
          {dataset.data.series && (
            <SeriesCard projectId={projectId} dataset={dataset.data} series={dataset.data.series} />
          )}
          <RowsCard projectId={projectId} dataset={dataset.data} />
          <HistoryCard projectId={projectId} />
        </div>
      )}
      {dataset.data === null && !may("putDataset") && (
        <Card>
          <EmptyState title="No data yet" drawing={<ForkDrawing />}>
            Analysts and admins of the project upload its data.
          </EmptyState>
        </Card>
      )}
      {(dataset.data === null || replacing) && may("putDataset") && (
        <Card className="max-w-4xl">
          <CardHeader
            title={replacing ? "Replace the dataset" : "Upload the first dataset"}
            description="The browser checks the file first and uploads only valid data."
            actions={replacing && <Button onClick={() => setReplacing(false)}>Cancel</Button>}
          />
          <div className="px-5 pb-5">
            <DatasetForm
              projectId={projectId}
              former={dataset.data ?? null}
              onDone={() => {
                setReplacing(false);
                // Columns to check and the next step are at the top.
                window.scrollTo({ top: 0 });
              }}
            />
          </div>
        </Card>
      )}
    </>
  );
}
