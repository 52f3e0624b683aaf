import { dayText } from "#components/time/period.ts";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import { prepareGeneration } from "./prepare-generation.ts";

/** Shows the known period and the period to generate. */
export function GenerationPicture({ dataset, endDate }: { dataset: Dataset; endDate: string }) {
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
