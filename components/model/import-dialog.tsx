"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useForm } from "react-hook-form";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { readBase64, sendCsv } from "#components/csv/send-csv.ts";
import { Field } from "#components/form/field.tsx";
import { FormFooter } from "#components/form/form-footer.tsx";
import { FormError, showServerIssues } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useReason } from "#components/form/use-reason.ts";
import { JobProgress } from "#components/jobs/job-progress.tsx";
import { isActive } from "#components/jobs/job-text.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Select, Textarea } from "#components/ui/input.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { ImportModel } from "#lib/contract/import-model";
import type { Job } from "#lib/contract/jobs";
import { readInputMap } from "./import-map.ts";
import { ImportOutput, type ImportValues, importFields } from "./import-output.tsx";

const isXgboost = ({ name }: File) => /\.json$/i.test(name);

/**
 * Imports a model from another tool as ONNX or XGBoost JSON. Stays open until the job ends, to show problems with the
 * file and the outputs to choose from. If it is closed, the import continues.
 */
export default function ImportDialog({
  projectId,
  target,
  onClose,
}: {
  projectId: string;
  /** Proposed target: the dataset's target; empty without a dataset. */
  target: string;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [labelled, setLabelled] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const form = useForm<ImportValues>({
    defaultValues: {
      modelName: "",
      target,
      targetMetric: "rmse",
      inputs: "",
      output: "",
      outputColumn: "",
      rounds: "best",
    },
  });
  const { errors, isSubmitting } = form.formState;
  const { job, follow, isRunning } = useImportJob(projectId, onClose);
  const choose = (chosen: File) => {
    setFile(chosen);
    // The options of the file before do not apply.
    if (job?.outputOptions) {
      form.setValue("output", "");
      form.setValue("outputColumn", "");
    }
    follow(null);
    if (form.getValues("modelName") === "")
      form.setValue("modelName", chosen.name.replace(/\.(onnx|json)$/i, "").slice(0, 100));
  };
  const reason = useReason(file ? null : "Choose a model file.");
  const submit = form.handleSubmit(async (values) => {
    if (!reason.ask() || !file) return;
    const map = readInputMap(values.inputs);
    if (map.inputs === null) {
      form.setError("inputs", { message: map.message });
      return;
    }
    try {
      const source = await sendCsv(projectId, file, setSent, "application/octet-stream");
      const parsed = ImportModel.safeParse({
        ...source,
        ...(isXgboost(file) && { format: "xgboost-json", rounds: values.rounds }),
        modelName: values.modelName,
        target: values.target,
        targetMetric: values.targetMetric,
        ...(map.inputs.length > 0 && { inputs: map.inputs }),
        ...(values.output.trim() !== "" && { output: values.output.trim() }),
        ...(values.outputColumn.trim() !== "" && { outputColumn: Number(values.outputColumn) }),
        ...(labelled && { labelledRows: await readBase64(labelled) }),
      });
      if (!parsed.success) {
        for (const { path, message } of parsed.error.issues) {
          form.setError(importFields.find((name) => name === path[0]) ?? "root", { message });
        }
        return;
      }
      const { jobId } = await api.post(`/projects/${projectId}/models/import`, parsed.data);
      follow(jobId);
      await client.invalidateQueries({ queryKey: keys.jobs(projectId) });
    } catch (error) {
      showServerIssues(error, form.setError, importFields);
    } finally {
      setSent(null);
    }
  });
  return (
    <Dialog
      onClose={onClose}
      title="Import a model"
      description="The service checks and test-runs the model before use. Pickle files are rejected because opening one runs its code."
      width="lg"
      footer={
        <FormFooter reason={reason.shown}>
          <Button onClick={onClose}>{job || isRunning ? "Close" : "Cancel"}</Button>
          <Button type="submit" form="import-model" look="primary" busy={isSubmitting || isRunning}>
            {job && !isRunning ? "Import again" : "Import"}
          </Button>
        </FormFooter>
      }
    >
      <form id="import-model" onSubmit={submit} noValidate className="space-y-5">
        <FormError message={errors.root?.message ?? (job ? failureOf(job) : undefined)} />
        {job?.status === "Completed" && job.outputOptions && (
          <p role="status" className="rounded-md bg-accent-wash px-3 py-2 text-[13px]">
            The model is imported and predicts class labels. To predict a probability, choose its class.
          </p>
        )}
        <FileDrop
          label="Choose a model file"
          hint="or drop it here: ONNX (scikit-learn, LightGBM, PyTorch, …) or XGBoost JSON"
          accept=".onnx,.json"
          file={file}
          onFile={choose}
        />
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField form={form} name="modelName" label="Model name" />
          <TextField form={form} name="target" label="Target" help="Column that the model predicts" />
          <Field label="Target metric" error={errors.targetMetric?.message}>
            <Select {...form.register("targetMetric")}>
              <option value="rmse">RMSE</option>
              <option value="mae">MAE</option>
              <option value="mape">MAPE</option>
              <option value="r2">R²</option>
            </Select>
          </Field>
        </div>
        {file !== null && isXgboost(file) && (
          <Field label="Rounds after early stopping" help="Without early stopping, both use every round">
            <Select {...form.register("rounds")}>
              <option value="best">Up to the best iteration</option>
              <option value="all">All rounds</option>
            </Select>
          </Field>
        )}
        <Field
          label="Input map"
          optional
          error={errors.inputs?.message}
          help={
            <>
              One feature per line, in the model's order: <code className="font-mono">temperature</code>, with
              a type <code className="font-mono">weekday: category</code>, or with a separate model input{" "}
              <code className="font-mono">humidity = input_3</code>. Default: the names in the file.
            </>
          }
        >
          <Textarea rows={4} spellCheck={false} className="font-mono text-xs" {...form.register("inputs")} />
        </Field>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <div className="space-y-4">
            <ImportOutput form={form} options={job?.outputOptions ?? null} />
          </div>
          <div>
            <div className="mb-1.5 flex items-baseline justify-between text-[13px] font-medium">
              Rows with actuals
              {labelled ? (
                <button
                  type="button"
                  className="rounded-sm text-xs font-normal text-accent underline"
                  onClick={() => setLabelled(null)}
                >
                  Remove the file
                </button>
              ) : (
                <span className="text-xs font-normal text-ink-faint">optional</span>
              )}
            </div>
            <FileDrop
              label="Choose a CSV"
              hint="with the target column, for metrics and intervals"
              accept=".csv,text/csv"
              file={labelled}
              onFile={setLabelled}
            />
          </div>
        </div>
        {sent !== null && <Progress value={sent * 100} label="Uploading" />}
        {job && isRunning && <JobProgress job={job} />}
      </form>
    </Dialog>
  );
}

/** Returns why the import ended without a model. Outputs to choose from have their own field. */
function failureOf({ status, error, outputOptions }: Job): string | undefined {
  if (status === "Cancelled") return "The import was cancelled.";
  if (status !== "Failed") return undefined;
  if (outputOptions) return "Several values of the model can be the prediction. Choose one below.";
  return error?.message ?? "No reason was given.";
}

/**
 * Follows an import. `job` is null until it is in the list of jobs.
 *
 * @param onDone called when the import completes and offers no other output
 */
function useImportJob(projectId: string, onDone: () => void) {
  const [jobId, follow] = useState<string | null>(null);
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const job: Job | null = jobs.data?.find(({ id }) => id === jobId) ?? null;
  const isDone = job?.status === "Completed" && job.outputOptions === null;
  const finish = useEffectEvent(onDone);
  useEffect(() => {
    if (isDone) finish();
  }, [isDone]);
  return { job, follow, isRunning: jobId !== null && (job === null || isActive(job)) };
}
