import { Dialog } from "#components/ui/dialog.tsx";
import { Section } from "#components/ui/section.tsx";
import type { Model } from "#lib/contract/models";
import { ImportanceBars } from "./importance-bars.tsx";
import { ModelSections } from "./model-sections.tsx";
import { ModelFacts, verdict } from "./model-summary.tsx";
import { ValidationCard } from "./validation-card.tsx";

/** Shows the details of a model of the history. */
export default function ModelDialog({
  model,
  author,
  onClose,
}: {
  model: Model;
  author: string;
  onClose(): void;
}) {
  return (
    <Dialog onClose={onClose} title={model.modelName} description={verdict(model)} width="lg">
      <div className="space-y-5 text-left">
        <ModelFacts model={model} author={author} />
        {model.validation && <ValidationCard validation={model.validation} target={model.target} />}
        <Section title="Feature importance">
          <div className="-mx-5 -mb-5">
            <ImportanceBars importance={model.importance} />
          </div>
        </Section>
        <ModelSections model={model} />
        <Section title="ID">
          <p className="font-mono text-xs break-all">{model.id}</p>
        </Section>
      </div>
    </Dialog>
  );
}
