import { Tabs } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { CsvInput } from "#components/csv/csv-input.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { dayText, seriesTimes } from "#components/time/period.ts";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import { endDateIssue, prepareGeneration } from "./prepare-generation.ts";
import type { ScenarioValues, Way } from "./scenario-form.ts";

const ways: [Way, string][] = [
  ["upload", "Upload a CSV"],
  ["generate", "Generate to a date"],
  ["adjust", "Adjust a scenario"],
];

/** Selects where the input of a new scenario comes from, and shows its fields. */
export function InputTabs({
  way,
  onWay,
  contents,
}: {
  way: Way;
  onWay(way: Way): void;
  contents: Record<Way, ReactNode>;
}) {
  return (
    <Tabs.Root value={way} onValueChange={(next) => onWay(next as Way)}>
      <Tabs.List aria-label="Input" className="mb-4 flex gap-1 rounded-md bg-sunken p-1">
        {ways.map(([value, name]) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className="flex-1 rounded-sm px-2 py-1.5 text-[13px] font-medium text-ink-soft sm:px-3 data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-soft"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {ways.map(([value]) => (
        <Tabs.Content key={value} value={value} className="space-y-4">
          {contents[value]}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** Reads a file for a model, which may still be loading. */
export function UploadedInput({
  model,
  template,
  ...csv
}: Omit<ComponentProps<typeof CsvInput>, "model"> & {
  model: ComponentProps<typeof CsvInput>["model"] | null;
  /** Address of a template for the model. */
  template: string;
}) {
  if (model === null) return <SkeletonRows rows={2} />;
  return (
    <div className="space-y-3">
      <CsvInput model={model} {...csv} />
      <a download className="inline-block rounded-sm py-1 text-[13px] text-accent underline" href={template}>
        Download a CSV template for this model
      </a>
    </div>
  );
}

/** Asks for the day up to which the service generates the input. */
export function GeneratedInput({
  form,
  dataset,
  issue,
}: {
  form: UseFormReturn<ScenarioValues>;
  dataset: Dataset | null;
  /** Issue of the end date. */
  issue: string | undefined;
}) {
  if (!dataset?.timestamp) {
    return (
      <p className="text-[13px] text-ink-soft">
        The data has no timestamp. The input consists of the rows held out from training.
      </p>
    );
  }
  const { lastTargetTimestamp, plannedRows } = dataset;
  const last = lastTargetTimestamp ? seriesTimes([lastTargetTimestamp], dataset)[0] : "the last row";
  const plans = plannedRows > 0 ? `, uses the ${counted(plannedRows, "planned row")}` : "";
  return (
    <>
      <TextField
        form={form}
        name="endDate"
        label="End date"
        optional
        error={issue}
        help={`Starts after ${last}, includes this day${plans}. Default: validation horizon`}
        type="date"
        className="max-w-48"
        rules={{ validate: (date) => endDateIssue(dataset, date as string) }}
      />
      {!issue && <GenerationPicture dataset={dataset} endDate={form.watch("endDate")} />}
    </>
  );
}

/** Shows the known period and the period to generate. */
function GenerationPicture({ dataset, endDate }: { dataset: Dataset; endDate: string }) {
  const plan = prepareGeneration(dataset, endDate);
  if (plan.state !== "ready") return null;
  const share = Math.min(0.98, Math.max(0.02, plan.share));
  return (
    <figure className="text-xs">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="h-6 w-full" aria-hidden="true">
        <rect width={100 * (1 - share) - 0.3} height="10" rx="1" className="fill-line-strong" />
        <rect x={100 * (1 - share)} width={100 * share} height="10" rx="1" className="fill-accent" />
      </svg>
      <figcaption
        role="status"
        className="figures mt-1.5 flex flex-wrap justify-between gap-x-4 text-ink-soft"
      >
        <span>
          Known from {dayText(dataset.firstTimestamp!, dataset)} to{" "}
          {dayText(dataset.lastTargetTimestamp!, dataset)}
        </span>
        <span>
          {counted(plan.rows, "row")} generated, {dayText(plan.from, dataset)} to {dayText(plan.to, dataset)}
          {dataset.plannedRows > 0 && `; ${counted(dataset.plannedRows, "row")} planned in the data`}
        </span>
      </figcaption>
    </figure>
  );
}
