"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Controller, useForm } from "react-hook-form";
import { ApiError, api, keys } from "#components/api/client.ts";
import { useDescribedModel } from "#components/csv/csv-input.tsx";
import { noFile, reading } from "#components/csv/file-reason.ts";
import { IssueList } from "#components/csv/issue-list.tsx";
import { sendCsv } from "#components/csv/send-csv.ts";
import { useDisplays } from "#components/display/displays.tsx";
import { focusInvalid } from "#components/form/focus-invalid.ts";
import { FormError, showServerIssues } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useAfterReading } from "#components/form/use-after-reading.ts";
import { useReason } from "#components/form/use-reason.ts";
import { Button } from "#components/ui/button.tsx";
import { ColorPicker } from "#components/ui/color-picker.tsx";
import { nextColor } from "#components/ui/palette.ts";
import { Progress } from "#components/ui/progress.tsx";
import { usePush } from "#components/ui/use-leave-question.tsx";
import { type Adjustment, CreateScenario, type Scenario } from "#lib/contract/scenarios";
import { AdjustmentEditor } from "./adjustment-editor.tsx";
import { BaseScenarioField } from "./base-scenario-field.tsx";
import { changeText, distinctTitle } from "./change-text.ts";
import { CheckpointFields } from "./checkpoint-fields.tsx";
import { GeneratedInput, InputTabs, UploadedInput } from "./input-tabs.tsx";
import { NoInputsNote } from "./no-inputs-note.tsx";
import { endDateIssue, proposedTitle } from "./prepare-generation.ts";
import { ReplayedInput } from "./replayed-input.tsx";
import {
  fileIssues,
  newCheckpoint,
  type ScenarioValues,
  scenarioBody,
  unchangedReason,
  type Way,
} from "./scenario-form.ts";
import { proposedCheckpoint, type ScenarioStart } from "./scenario-start.ts";
import type { ScenarioSetup } from "./use-scenario-setup.ts";

/** Fields with a place for an issue. The form shows other issues as its own. */
const fields = ["title", "description", "color", "checkpointId", "checkpointLabel", "endDate"] as const;

export function NewScenarioForm({
  setup,
  start,
  checkpointId,
  others,
  foot,
  onClose,
}: {
  setup: ScenarioSetup;
  start: ScenarioStart | null;
  /** Proposed checkpoint; null for the default one. */
  checkpointId: string | null;
  /** Scenarios from which the new one should differ by title and colour. */
  others: readonly Pick<Scenario, "title" | "color">[];
  /** Footer of the dialog, which keeps the buttons visible for long forms. */
  foot: HTMLElement | null;
  onClose(): unknown;
}) {
  const { project, dataset, checkpoints, upstream } = setup;
  const client = useQueryClient();
  const push = usePush();
  const formId = useId();
  const generatedTitle = proposedTitle(
    dataset,
    others.map(({ title }) => title),
  );
  const firstWay = generatedTitle === "" ? "upload" : "generate";
  const [way, setWay] = useState<Way>(start ? "adjust" : firstWay);
  const [base, setBase] = useState<Scenario | null>(start?.base ?? null);
  const [file, setFile] = useState<File | null>(null);
  const [fileIssue, setFileIssue] = useState<string | null>(noFile);
  const [sent, setSent] = useState<number | null>(null);
  const [rejected, setRejected] = useState<ApiError | null>(null);
  const displays = useDisplays();
  const firstCheckpoint = checkpointId ?? proposedCheckpoint(start, checkpoints, project);
  /** Title of a copy, which names what differs from the scenario. */
  const titleOf = (
    copied: Scenario,
    { adjustments, selected }: { adjustments: Adjustment[]; selected: string },
  ) => {
    const other = checkpoints.find(({ id }) => id === selected)?.label ?? "current model";
    const change = start?.isReplay ? other : changeText(adjustments, (name) => displays(name).name);
    return distinctTitle(
      copied.title,
      change || "adjusted",
      others.map(({ title }) => title),
    );
  };
  const form = useForm<ScenarioValues>({
    defaultValues: {
      title: start
        ? titleOf(start.opened, { adjustments: start.adjustments, selected: firstCheckpoint })
        : generatedTitle,
      description: "",
      color: nextColor(others.map(({ color }) => color)),
      checkpointId: firstCheckpoint,
      checkpointLabel: "",
      endDate: "",
      adjustments: start?.adjustments ?? [],
      upstreams: Object.fromEntries(
        // A copy changes only the recipe and a replay only the checkpoint, unless the user changes more.
        upstream.map((other) => [
          other.id,
          start?.opened.dependentProjectCheckpoints[other.id] ?? other.defaultCheckpointId ?? newCheckpoint,
        ]),
      ),
    },
  });
  const { errors, isSubmitting } = form.formState;
  // The title follows the change until the user writes another one.
  const proposed = useRef(form.getValues("title"));
  const [steps, selectedId] = [form.watch("adjustments"), form.watch("checkpointId")];
  const copied = start?.opened ?? (way === "adjust" ? base : null);
  const nextTitle = copied && titleOf(copied, { adjustments: steps, selected: selectedId });
  useEffect(() => {
    if (nextTitle === null || !["", proposed.current].includes(form.getValues("title"))) return;
    proposed.current = nextTitle;
    form.setValue("title", nextTitle);
  }, [form, nextTitle]);
  // The dialog opened before its first field existed.
  const { setFocus } = form;
  useEffect(() => setFocus("title", { shouldSelect: true }), [setFocus]);
  // A change may correct what the service rejected.
  useEffect(() => {
    const changes = form.watch(() => {
      setRejected(null);
      form.clearErrors("root");
    });
    return () => changes.unsubscribe();
  }, [form]);
  const forget = () => {
    setRejected(null);
    form.clearErrors();
  };
  const model = useDescribedModel(project.id, form.watch("checkpointId"));
  const features = model?.inputFeatures ?? null;
  const dateIssue = dataset && way === "generate" ? endDateIssue(dataset, form.watch("endDate")) : undefined;
  const isReading = way === "upload" && fileIssue === reading;
  const ofFile = way === "upload" ? fileIssue : null;
  const ofBase = way === "adjust" && base === null ? "Choose a scenario" : null;
  const ofSteps =
    way === "adjust" && base !== null && !start?.isReplay ? unchangedReason(base, form.watch()) : null;
  const reason = useReason(ofFile ?? ofBase ?? ofSteps);

  const submit = form.handleSubmit(async (values) => {
    if (!reason.ask()) {
      focusInvalid(document.getElementById(formId));
      return;
    }
    setRejected(null);
    try {
      const source = way === "upload" && file ? await sendCsv(project.id, file, setSent) : null;
      const body = scenarioBody(
        values,
        way,
        source && file ? { ...source, fileName: file.name } : null,
        base,
        dataset?.timezone ?? null,
      );
      const parsed = CreateScenario.safeParse(body);
      if (!parsed.success) {
        for (const issue of parsed.error.issues) {
          form.setError(fields.find((name) => name === issue.path[0]) ?? "root", { message: issue.message });
        }
        return;
      }
      const path = `/projects/${project.id}/scenarios` as const;
      const { scenarioId } = await api.post(path, body);
      await client.invalidateQueries({ queryKey: keys.project(project.id) });
      // Closing can change the URL, which would cancel a navigation.
      await onClose();
      push(`${path}/${scenarioId}`);
    } catch (error) {
      if (error instanceof ApiError) setRejected(error);
      showServerIssues(error, form.setError, fields);
    } finally {
      setSent(null);
    }
  });

  const sending = useAfterReading(file, isReading, () => void submit());

  return (
    <form
      id={formId}
      onSubmit={(event) => {
        event.preventDefault();
        sending.start();
      }}
      noValidate
      className="space-y-5"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="title" label="Title" placeholder="Warmer February" />
        <div>
          <p className="mb-1.5 text-[13px] font-medium">Colour</p>
          <Controller
            control={form.control}
            name="color"
            render={({ field }) => <ColorPicker value={field.value} onChange={field.onChange} />}
          />
        </div>
      </div>
      <TextField form={form} name="description" label="Description" optional rows={2} />
      {features !== null && way !== "adjust" && <NoInputsNote projectId={project.id} features={features} />}
      {start?.isReplay ? (
        <ReplayedInput start={start} />
      ) : (
        <InputTabs
          way={way}
          onWay={(next) => {
            setWay(next);
            if (["", generatedTitle, proposed.current].includes(form.getValues("title")))
              form.setValue("title", next === "generate" ? generatedTitle : "");
            forget();
          }}
          contents={{
            upload: (
              <UploadedInput
                model={model}
                template={templateAddress(project.id, form.watch("checkpointId"))}
                dataset={dataset}
                file={file}
                onFile={(chosen) => {
                  setFile(chosen);
                  forget();
                }}
                onReason={setFileIssue}
              />
            ),
            generate: <GeneratedInput form={form} dataset={dataset} issue={dateIssue} />,
            adjust: (
              <>
                <BaseScenarioField
                  projectId={project.id}
                  base={base}
                  error={ofBase === null ? undefined : reason.shown}
                  onChange={setBase}
                />
                <Controller
                  control={form.control}
                  name="adjustments"
                  render={({ field }) => (
                    <AdjustmentEditor
                      projectId={project.id}
                      baseScenarioId={base?.id ?? null}
                      checkpointId={form.watch("checkpointId") || null}
                      features={features}
                      value={field.value}
                      error={ofSteps === null ? undefined : reason.shown}
                      onChange={field.onChange}
                    />
                  )}
                />
              </>
            ),
          }}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <CheckpointFields form={form} project={project} checkpoints={checkpoints} upstream={upstream} />
      </div>
      {rejected && <IssueList issues={fileIssues(rejected.details)} />}
      {sent !== null && <Progress value={sent * 100} label="Uploading" />}
      {foot &&
        createPortal(
          <>
            <FormError message={errors.root?.message ?? (ofFile === null ? undefined : reason.shown)} />
            <div className="flex justify-end gap-2">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" form={formId} look="primary" busy={isSubmitting || sending.isWaiting}>
                Create scenario
              </Button>
            </div>
          </>,
          foot,
        )}
    </form>
  );
}

function templateAddress(projectId: string, checkpointId: string): string {
  const query = checkpointId === newCheckpoint ? "" : `?checkpointId=${checkpointId}`;
  return `/api/v1/projects/${projectId}/scenarios/template${query}`;
}
