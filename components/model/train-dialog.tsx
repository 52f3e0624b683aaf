"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { SuspectList } from "#components/data/suspect-list.tsx";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Select } from "#components/ui/input.tsx";
import { classesOf, mayBeClasses } from "#lib/contract/classes";
import type { Dataset } from "#lib/contract/datasets";
import { stepOf, stepsText } from "#lib/contract/duration-text";
import { TrainModel } from "#lib/contract/train-model";
import { defaultHorizon } from "#lib/engine/features/frequency";
import { algorithmChoices } from "./algorithm-choices.ts";
import { TrainAdvanced } from "./train-advanced.tsx";
import { choiceOrUnset, chosenSettings, numberOrUnset, trainIssue } from "./train-settings.ts";

/** Validates the request as sent, with only the chosen settings. */
const checkSettings = zodResolver(TrainModel, { error: trainIssue });

const NUMBER_CHOICES = {
  "": "RMSE (default)",
  mae: "MAE: typical error",
  mape: "MAPE: error in per cent",
  r2: "R²: variation explained",
};
const CLASS_CHOICES = {
  "": "Log loss (default)",
  brier: "Brier score: squared error",
  auc: "AUC: order of the probabilities",
  accuracy: "Accuracy: share of right classes",
};

/** Settings that suit only one of the tasks. */
const OF_ONE_TASK = [
  "algorithm",
  "targetMetric",
  "features.lags",
  "features.rolling",
  "features.inputs",
  "outliers",
  "hyperparameters.loss",
  "hyperparameters.l1Ratio",
] as const;

/** Groups of settings that are hidden until "Advanced" is opened. */
const ADVANCED = ["features", "validation", "outliers", "hyperparameters", "seed"] as const;

/** Form to train a model. All fields are optional; the request contains only the changed ones. */
export default function TrainDialog({
  projectId,
  dataset,
  horizon,
  requestedTask,
  onClose,
}: {
  projectId: string;
  /** Lags require its timestamp, and the horizon its frequency. */
  dataset: Dataset;
  /** Proposed horizon, instead of the usual one for the frequency. */
  horizon?: number | undefined;
  /** Task that the last training requested. It applies only to a target of the numbers 0 and 1. */
  requestedTask?: TrainModel["task"];
  onClose(): void;
}) {
  const client = useQueryClient();
  const isSeries = Boolean(dataset.timestamp);
  const column = dataset.columns.find(({ name }) => name === dataset.target);
  const mayChooseTask = column !== undefined && mayBeClasses(column);
  const [task, setTask] = useState(mayChooseTask ? requestedTask : undefined);
  const isOfClasses = task === "classification" || (column !== undefined && classesOf(column) !== null);
  const frequency = isOfClasses ? null : stepOf(dataset);
  const form = useForm<TrainModel>({
    resolver: (values, context, options) => checkSettings(chosenSettings(values), context, options),
    defaultValues: {
      features: { calendar: true, inputs: false, rolling: [] },
      hyperparameters: { earlyStopping: true },
      ...(frequency !== null && { horizon: horizon ?? defaultHorizon(frequency) }),
    },
  });
  const { errors } = form.formState;
  const [isAdvancedOpen, setAdvancedOpen] = useState(false);
  const showAdvancedIssues = () => {
    if (ADVANCED.some((name) => form.getFieldState(name).invalid)) setAdvancedOpen(true);
  };
  const submit = form.handleSubmit(async (values) => {
    try {
      const { horizon: steps, ...rest } = values;
      const request = isOfClasses
        ? { ...rest, ...(task && { task }) }
        : { ...rest, ...(steps && { horizon: steps }) };
      await api.post(`/projects/${projectId}/models/train`, request);
      await client.invalidateQueries({ queryKey: keys.jobs(projectId) });
      toast.success("Training has started.");
      onClose();
    } catch (error) {
      showServerIssues(error, form.setError, [
        "task",
        "algorithm",
        "targetMetric",
        "features.lags",
        "features.holidays.country",
        "features.holidays.region",
        "horizon",
      ]);
      showAdvancedIssues();
    }
  }, showAdvancedIssues);
  return (
    <FormDialog
      form={form}
      onSubmit={submit}
      onClose={onClose}
      title="Train a model"
      description="The defaults train a good model. The new model becomes the current model."
      action="Start training"
      width="lg"
      keepsEntries
    >
      <SuspectList projectId={projectId} dataset={dataset} />
      {mayChooseTask && (
        <Checkbox
          checked={isOfClasses}
          onChange={(event) => {
            setTask(event.target.checked ? "classification" : undefined);
            // The service rejects the settings of the other task, whose fields are hidden.
            for (const name of OF_ONE_TASK) form.resetField(name);
          }}
        >
          The numbers 0 and 1 are classes: predict a probability
        </Checkbox>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Algorithm" error={errors.algorithm?.message}>
          <Select
            {...form.register("algorithm", { setValueAs: choiceOrUnset })}
            options={algorithmChoices(isOfClasses, frequency !== null)}
          >
            <option value="">Automatic: best model or blend</option>
          </Select>
        </Field>
        <Field label="Target metric" error={errors.targetMetric?.message} help="Selects the best model">
          <Select
            {...form.register("targetMetric", { setValueAs: choiceOrUnset })}
            options={Object.entries(isOfClasses ? CLASS_CHOICES : NUMBER_CHOICES)}
          />
        </Field>
      </div>
      {frequency !== null && <HorizonField form={form} frequency={frequency} />}
      <details
        className="group rounded-md border"
        open={isAdvancedOpen}
        onToggle={(event) => setAdvancedOpen(event.currentTarget.open)}
      >
        <summary className="flex list-none items-center gap-2 rounded-md px-4 py-2.5 text-[13px] font-medium">
          <ChevronRight className="size-4 text-ink-faint transition-transform group-open:rotate-90" />
          Advanced
          <span className="font-normal text-ink-faint">features, validation, hyperparameters</span>
        </summary>
        <div className="border-t p-4">
          <TrainAdvanced form={form} isSeries={isSeries} isOfClasses={isOfClasses} />
        </div>
      </details>
    </FormDialog>
  );
}

/** Field for the forecast horizon. Model selection, evaluation and interval calibration use this horizon. */
function HorizonField({ form, frequency }: { form: UseFormReturn<TrainModel>; frequency: string }) {
  const horizon = useWatch({ control: form.control, name: "horizon" });
  const steps = Number(horizon);
  const span = Number.isInteger(steps) && steps > 0 ? `${stepsText(steps, frequency)} ahead` : "";
  return (
    <TextField
      form={form}
      name="horizon"
      label="Forecast horizon in steps"
      help={[span, "the model is selected for this horizon"].filter(Boolean).join("; ")}
      inputMode="numeric"
      className="sm:max-w-60"
      rules={{ setValueAs: numberOrUnset }}
    />
  );
}
