"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ApiError } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { largestBars, SignedBars } from "#components/chart/signed-bars.tsx";
import { useDescribedModel } from "#components/csv/csv-input.tsx";
import { WarningList } from "#components/csv/issue-list.tsx";
import { useDisplays } from "#components/display/displays.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import {
  curlLine,
  predictBody,
  requestedFeatures,
  rowAt,
  startValues,
  type TryValues,
  valuesOfDate,
} from "#components/form/try-values.ts";
import { checkpointOptions } from "#components/scenarios/current-model.ts";
import { nextStep } from "#components/scenarios/prepare-generation.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { formatNumber } from "#components/ui/format.ts";
import { Select } from "#components/ui/input.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useDebounced } from "#components/ui/use-debounced.ts";
import { useOrigin } from "#components/ui/use-origin.ts";
import type { InputFeature, Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import { TryField } from "./try-field.tsx";

const typingPauseMs = 250;

/**
 * Predicts one row while the user types. Uses the model that the API would use: the default checkpoint, unless another
 * one is selected.
 */
export function TryModel({ model }: { model: Model }) {
  const { projectId } = model;
  const checkpoints = useQuery(queries.checkpoints(projectId));
  const dataset = useQuery(queries.dataset(projectId));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const defaultId = checkpoints.data?.find(({ isDefault }) => isDefault)?.id ?? "";
  const chosen = checkpoints.data?.some(({ id }) => id === chosenId) ? chosenId : null;
  const checkpointId = chosen ?? defaultId;
  const known = useDescribedModel(projectId, checkpointId)?.inputFeatures;
  const features = useMemo(() => known && requestedFeatures(known), [known]);
  const nextTime = dataset.data ? nextStep(dataset.data) : null;
  const start = useQuery({ ...queries.generatedRow(projectId, checkpointId), enabled: checkpointId !== "" });
  const ready = features && checkpoints.data && !dataset.isPending && !start.isLoading;
  const row = start.data ? rowAt(nextTime, start.data) : null;
  return (
    <Card>
      <CardHeader
        title="Try it"
        description={
          checkpointId === ""
            ? "Predicts with the current model as you type."
            : "Predicts with a saved checkpoint as you type. Save a newer model as a checkpoint to try it."
        }
        actions={
          checkpoints.data &&
          checkpoints.data.length > 0 && (
            <Select
              aria-label="Checkpoint"
              className="!w-auto max-w-full sm:max-w-80"
              value={checkpointId}
              onChange={(event) => setChosenId(event.target.value)}
              options={checkpointOptions(checkpoints.data)}
            />
          )
        }
      />
      {ready ? (
        <TryForm
          key={JSON.stringify([checkpointId, nextTime, features.map(({ name, type }) => [name, type])])}
          projectId={projectId}
          checkpointId={checkpointId === defaultId ? "" : checkpointId}
          features={features}
          nextTime={nextTime}
          row={row}
        />
      ) : (
        <div className="p-5 pt-0">
          <Skeleton className="h-56" />
        </div>
      )}
    </Card>
  );
}

function TryForm({
  projectId,
  checkpointId,
  features,
  nextTime,
  row,
}: {
  projectId: string;
  /** Empty to let the service choose. */
  checkpointId: string;
  features: readonly InputFeature[];
  nextTime: string | null;
  /** Row to start from; null to start from medians. */
  row: ReturnType<typeof rowAt>;
}) {
  const origin = useOrigin();
  const [values, setValues] = useState<TryValues>(() => startValues(features, nextTime, row));
  const settled = useDebounced(values, typingPauseMs);
  const body = useMemo(() => predictBody(features, settled, checkpointId), [features, settled, checkpointId]);
  const answer = useQuery(queries.predict(projectId, body));
  const ofDate = useMemo(() => valuesOfDate(features, values), [features, values]);
  const change = ({ name, role }: InputFeature, value: string) => {
    const changed = { ...values, [name]: value };
    // Another date has another month or weekday, also where the former one was typed over.
    setValues(role === "timestamp" ? { ...changed, ...valuesOfDate(features, changed) } : changed);
  };
  const rejected = answer.error instanceof ApiError ? answer.error : null;
  const issueOf = (name: string) => rejected?.details.find(({ column }) => column === name)?.message;
  const placed = features.some(({ name }) => issueOf(name) !== undefined);
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-6 px-5 pb-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <form onSubmit={(event) => event.preventDefault()} aria-label="Input">
        <div className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3">
          {features.map((feature) => (
            <TryField
              key={feature.name}
              feature={feature}
              value={values[feature.name] ?? ""}
              valueOfDate={ofDate[feature.name]}
              error={issueOf(feature.name)}
              onChange={(value) => change(feature, value)}
            />
          ))}
        </div>
      </form>
      <div className="xl:border-l xl:pl-8">
        {answer.error && !placed && <FormError message={answer.error.message} />}
        {placed && (
          <p className="text-[13px] text-ink-faint">Correct the marked fields to see the prediction.</p>
        )}
        {!answer.error && !answer.data && <Skeleton className="h-40" />}
        {!answer.error && answer.data && (
          <TryResult prediction={answer.data} stale={answer.isPlaceholderData || settled !== values} />
        )}
      </div>
      <div className="xl:col-span-2">
        <CodeBlock
          label="curl command; set $API_KEY to an API key of this project"
          code={curlLine(`${origin}/api/v1/projects/${projectId}/predict`, body)}
        />
      </div>
    </div>
  );
}

const shownBars = 8;

/** Shows one row's prediction, its prediction interval and the feature contributions. */
function TryResult({ prediction, stale }: { prediction: Prediction; stale: boolean }) {
  const { intervals, contributions, classes } = prediction;
  // The form requests intervals of every model; probabilities have none.
  const warnings = prediction.warnings.filter(({ code }) => !classes || code !== "no_intervals");
  const values = contributions?.values[0];
  const displays = useDisplays();
  const target = displays(prediction.target);
  const isLogOdds = contributions?.scale === "log_odds";
  return (
    <div className={stale ? "space-y-4 opacity-60 transition-opacity" : "space-y-4 transition-opacity"}>
      <div>
        <p className="text-xs text-ink-faint" title={prediction.target}>
          {target.name}
          {classes && ` = ${classes[1]}, as a probability`}
        </p>
        <output className="figures block text-3xl font-semibold tracking-tight" aria-live="polite">
          {target.text(prediction.predictions[0])}
        </output>
        {intervals && (
          <p className="figures mt-0.5 text-[13px] text-ink-soft">
            {Math.round(intervals.level * 100)} % prediction interval: {target.format(intervals.lower[0])} to{" "}
            {target.text(intervals.upper[0])}
          </p>
        )}
      </div>
      <WarningList warnings={warnings} />
      {contributions && values && (
        <div>
          <h3 className="mb-2 text-[13px] font-medium">
            Why{" "}
            <span className="figures font-normal text-ink-faint">
              {isLogOdds && "in log-odds "}· base value{" "}
              {isLogOdds ? formatNumber(contributions.baseValue) : target.text(contributions.baseValue)}
            </span>
          </h3>
          <SignedBars
            bars={largestBars(contributions, 0, shownBars, displays)}
            {...(!isLogOdds && { formatOf: (values) => target.formatOf(values) })}
          />
        </div>
      )}
    </div>
  );
}
