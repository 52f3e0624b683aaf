import { Section } from "#components/ui/section.tsx";
import type { Model } from "#lib/contract/models";
import { FeatureTable } from "./feature-table.tsx";
import { MetricsTable } from "./metrics-table.tsx";
import { stepText } from "./step-text.ts";

/** Describes a model or a checkpoint in a dialog: metrics, input features and engineering. */
export function ModelSections({
  model: { trainingMetrics, targetMetric, inputFeatures, featureEngineering },
}: {
  model: Pick<Model, "trainingMetrics" | "targetMetric" | "inputFeatures" | "featureEngineering">;
}) {
  return (
    <>
      <Section title="Metrics">
        <div className="-mx-5">
          <MetricsTable metrics={trainingMetrics} targetMetric={targetMetric} />
        </div>
      </Section>
      <Section title="Input features">
        <div className="-mx-5">
          <FeatureTable features={inputFeatures} />
        </div>
      </Section>
      {featureEngineering.steps.length > 0 && (
        <Section title="Feature engineering">
          <ol className="list-decimal gap-x-8 space-y-0.5 pl-5 text-[13px] text-ink-soft sm:columns-2">
            {featureEngineering.steps.map((step) => (
              <li key={JSON.stringify(step)}>{stepText(step)}</li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}
