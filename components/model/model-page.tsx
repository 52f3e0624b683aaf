"use client";

import { useQuery } from "@tanstack/react-query";
import { FileInput, Play } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { toast } from "sonner";
import { ChangesCard } from "#components/actuals/changes-card.tsx";
import { RecordCard } from "#components/actuals/record-card.tsx";
import { RetrainCard, rowsSince } from "#components/actuals/retrain-card.tsx";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { isActive } from "#components/jobs/job-text.ts";
import { useJobEnds } from "#components/jobs/use-job-ends.ts";
import { newCheckpoint } from "#components/scenarios/scenario-form.ts";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SkeletonCard } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { Model } from "#lib/contract/models";
import type { TrainModel } from "#lib/contract/train-model";
import { ClassificationCard } from "./classification-card.tsx";
import { EffectsCard } from "./effects-card.tsx";
import { FeatureTable } from "./feature-table.tsx";
import { ImportanceBars } from "./importance-bars.tsx";
import { Leaderboard } from "./leaderboard.tsx";
import { MetricsTable } from "./metrics-table.tsx";
import { ModelHistory } from "./model-history.tsx";
import { isTooGood, ModelSummary } from "./model-summary.tsx";
import { SeriesErrorsCard } from "./series-errors-card.tsx";
import { formerHorizon } from "./train-settings.ts";
import { TrainingJob, useModelJob } from "./training-job.tsx";
import { TryModel } from "./try-model.tsx";
import { ValidationCard } from "./validation-card.tsx";

const TrainDialog = dynamic(() => import("./train-dialog.tsx"), { ssr: false });
const SaveModelDialog = dynamic(() => import("./save-model-dialog.tsx"), { ssr: false });
const ImportDialog = dynamic(() => import("./import-dialog.tsx"), { ssr: false });

export function ModelPage({ projectId }: { projectId: string }) {
  const may = useMay();
  const models = useQuery(queries.models(projectId));
  const dataset = useQuery(queries.dataset(projectId));
  const job = useModelJob(projectId);
  useJobEnds(projectId, ["TrainModel", "ImportModel"], ({ status, type }) => {
    if (status === "Completed")
      toast.success(type === "TrainModel" ? "The model was trained." : "The model was imported.");
  });
  const [dialog, setDialog] = useQueryState("open");
  const busy = job !== null && isActive(job);
  const loading = models.isPending || dataset.isPending;
  // Waits for the content above, so that the layout does not shift.
  const current = loading ? undefined : models.data?.find(({ isCurrent }) => isCurrent);
  const error = models.error ?? dataset.error;
  const hasData = dataset.data !== null;
  const importButton = may("importModel") && (
    <Button onClick={() => setDialog("import")} disabled={busy}>
      <FileInput className="size-4" /> Import a model
    </Button>
  );
  const trainButton = may("trainModel") && (
    <Button look="primary" onClick={() => setDialog("train")} disabled={busy || !dataset.data}>
      <Play className="size-4" /> Train {current ? "again" : "a model"}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Model"
        description="Validated on held-out rows, then fitted on all rows."
        actions={
          <>
            {importButton}
            {trainButton}
          </>
        }
      />
      <div className="space-y-6">
        {job && <TrainingJob job={job} />}
        {loading && (
          <div role="status" aria-label="Loading" className="space-y-6">
            <SkeletonCard className="h-52" />
            <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
              <SkeletonCard className="h-72" />
              <SkeletonCard className="h-72" />
            </div>
          </div>
        )}
        {!loading && error && (
          <Card>
            <ErrorState
              error={error}
              onRetry={() => {
                void models.refetch();
                void dataset.refetch();
              }}
            />
          </Card>
        )}
        {!loading && !error && !current && !busy && (
          <Card>
            <EmptyState
              title={hasData ? "No model yet" : "No data yet"}
              drawing={<ForkDrawing />}
              action={
                may("trainModel") && (
                  <>
                    {importButton}
                    {hasData ? (
                      trainButton
                    ) : (
                      <ButtonLink look="primary" href={`/projects/${projectId}/data`}>
                        Upload a dataset
                      </ButtonLink>
                    )}
                  </>
                )
              }
            >
              {!may("trainModel")
                ? "Analysts and admins of the project train its models."
                : hasData
                  ? "The dataset is ready. Training needs no settings. It compares several models and keeps the best."
                  : "Upload a CSV or Excel file with the column to predict, then train a model. You can also import a model."}
            </EmptyState>
          </Card>
        )}
        {current && may("trainModel") && (
          <RetrainCard model={current} rows={rowsSince(current, dataset.data)} busy={busy} />
        )}
        {current && (
          <CurrentModel model={current} models={models.data ?? []} onSave={() => setDialog("save")} />
        )}
      </div>
      {dialog === "train" && may("trainModel") && !loading && dataset.data && (
        <TrainDialog
          projectId={projectId}
          dataset={dataset.data}
          horizon={formerHorizon(models.data ?? [], dataset.data)}
          requestedTask={taskOf(current)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "save" && may("createCheckpoint") && current && (
        <SaveModelDialog projectId={projectId} onClose={() => setDialog(null)} />
      )}
      {dialog === "import" && may("importModel") && !loading && (
        <ImportDialog
          projectId={projectId}
          target={dataset.data?.target ?? ""}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

/** Returns the task that the last training requested. */
function taskOf(model: Model | undefined): TrainModel["task"] {
  const task = model?.request?.task;
  return task === "classification" || task === "regression" ? task : undefined;
}

function referenceText({ classification }: Model): string {
  return classification
    ? `The base rate is the share of ${classification.classes[1]} in earlier rows.`
    : "The naive forecast repeats the last season or value; without a series, it is the mean.";
}

function CurrentModel({ model, models, onSave }: { model: Model; models: readonly Model[]; onSave(): void }) {
  const may = useMay();
  const authorOf = useMemberNames();
  const checkpoints = useQuery(queries.checkpoints(model.projectId));
  const checkpoint = checkpoints.data?.find(({ isDefault }) => isDefault);
  const ofModel = checkpoints.data?.find(({ modelId }) => modelId === model.id);
  return (
    <>
      <ModelSummary
        model={model}
        author={authorOf(model.createdBy)}
        actions={
          <>
            {may("createCheckpoint") && (
              <Button size="sm" onClick={onSave}>
                Create checkpoint
              </Button>
            )}
            {may("createScenario") && (
              <ButtonLink
                size="sm"
                href={`/projects/${model.projectId}/scenarios?open=new-scenario&checkpoint=${ofModel?.id ?? newCheckpoint}`}
              >
                New scenario
              </ButtonLink>
            )}
          </>
        }
      />
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
        <Card>
          <CardHeader
            title="Metrics"
            description={`Measured before the fit on all rows. ${referenceText(model)}`}
          />
          <MetricsTable
            metrics={model.trainingMetrics}
            targetMetric={model.targetMetric}
            isTooGood={isTooGood(model)}
          />
        </Card>
        <Card>
          <CardHeader
            title="Feature importance"
            description="Importance of each feature, as a share of the total."
          />
          <ImportanceBars importance={model.importance} />
        </Card>
      </div>
      <EffectsCard model={model} />
      {model.panel && <SeriesErrorsCard panel={model.panel} />}
      {model.classification ? (
        <ClassificationCard
          classification={model.classification}
          target={model.target}
          calibrationError={model.trainingMetrics.validation?.calibrationError}
        />
      ) : (
        model.validation && <ValidationCard validation={model.validation} target={model.target} />
      )}
      <ChangesCard model={model} />
      {checkpoint && <RecordCard projectId={model.projectId} checkpoint={checkpoint} />}
      <TryModel model={model} />
      {model.leaderboard.length > 0 && (
        <Card>
          <CardHeader
            title="Leaderboard"
            description="Back-tests on earlier rows select the model. Validation rows measure its accuracy."
          />
          <Leaderboard entries={model.leaderboard} />
        </Card>
      )}
      <Card>
        <CardHeader title="Input features" description="Columns that an input must have." />
        <FeatureTable features={model.inputFeatures} series={model.panel?.columns} />
      </Card>
      <ModelHistory models={models} checkpoints={checkpoints.data ?? []} authorOf={authorOf} />
    </>
  );
}
