import dynamic from "next/dynamic";
import { useState } from "react";
import { useMay } from "#components/api/viewer.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { formatDateTime, formatInteger } from "#components/ui/format.ts";
import { MenuItem, RowMenu } from "#components/ui/menu.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Model } from "#lib/contract/models";
import { formatMetric, metricName } from "./metric-text.ts";
import { ModelDifferences } from "./model-differences.tsx";

const ModelDialog = dynamic(() => import("./model-dialog.tsx"), { ssr: false });
const SaveModelDialog = dynamic(() => import("./save-model-dialog.tsx"), { ssr: false });

const titleOf = ({ modelName, trainedAt }: Model) => `${modelName}, ${formatDateTime(trainedAt)}`;

type Opened = { dialog: "details" | "save"; model: Model } | { dialog: "compare" } | null;

/** Lists every model of the project, newest first. Each one opens, and can be compared and saved. */
export function ModelHistory({
  models,
  checkpoints,
  authorOf,
}: {
  models: readonly Model[];
  checkpoints: readonly Checkpoint[];
  authorOf(userId: string): string;
}) {
  const maySave = useMay()("createCheckpoint");
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  // In the order of the list, so that the earlier model comes first.
  const [second, first] = models.filter(({ id }) => ticked.includes(id));
  return (
    <Card>
      <CardHeader
        title="History"
        description={maySave && "Save an earlier model as the default checkpoint to use it again."}
        actions={
          models.length > 1 && (
            <Button size="sm" disabled={ticked.length !== 2} onClick={() => setOpened({ dialog: "compare" })}>
              Compare two models
            </Button>
          )
        }
      />
      <Table>
        <thead>
          <tr>
            {models.length > 1 && <HiddenTh>Compare</HiddenTh>}
            <Th>Model</Th>
            <Th>Metric</Th>
            <Th className="text-right">Validation</Th>
            <Th className="text-right">Reference</Th>
            <Th className="text-right">Rows</Th>
            <Th>Trained</Th>
            <Th>By</Th>
            <HiddenTh>Actions</HiddenTh>
          </tr>
        </thead>
        <tbody className="figures">
          {models.map((model) => (
            <tr key={model.id}>
              {models.length > 1 && (
                <Td>
                  <Checkbox
                    checked={ticked.includes(model.id)}
                    onChange={() =>
                      setTicked(
                        ticked.includes(model.id)
                          ? ticked.filter((id) => id !== model.id)
                          : [...ticked, model.id].slice(-2),
                      )
                    }
                    aria-label={`Compare ${titleOf(model)}`}
                  />
                </Td>
              )}
              <Td className="whitespace-nowrap">
                <button
                  type="button"
                  onClick={() => setOpened({ dialog: "details", model })}
                  className="rounded-sm font-medium hover:underline"
                >
                  {model.modelName}
                </button>
                {model.isCurrent && (
                  <span className="ml-2">
                    <Badge tone="accent">current</Badge>
                  </span>
                )}
                {model.source === "imported" && (
                  <span className="ml-2">
                    <Badge>imported</Badge>
                  </span>
                )}
                <SavedAs checkpoints={checkpoints.filter(({ modelId }) => modelId === model.id)} />
              </Td>
              <Td className="text-ink-soft">{metricName(model.targetMetric)}</Td>
              <Td className="text-right">{formatMetric(model.targetMetric, model.primaryMetricValue)}</Td>
              <Td className="text-right text-ink-soft">
                {formatMetric(model.targetMetric, model.trainingMetrics.baseline?.[model.targetMetric])}
              </Td>
              <Td className="text-right">{formatInteger(model.trainingRows)}</Td>
              <Td className="text-ink-faint">
                <Time at={model.trainedAt} />
              </Td>
              <Td className="max-w-40 truncate text-ink-soft" title={authorOf(model.createdBy)}>
                {authorOf(model.createdBy)}
              </Td>
              <Td className="text-right">
                <RowMenu row={titleOf(model)}>
                  <MenuItem onSelect={() => setOpened({ dialog: "details", model })}>Details</MenuItem>
                  {maySave && (
                    <MenuItem onSelect={() => setOpened({ dialog: "save", model })}>
                      Create checkpoint
                    </MenuItem>
                  )}
                </RowMenu>
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {opened?.dialog === "details" && (
        <ModelDialog model={opened.model} author={authorOf(opened.model.createdBy)} onClose={close} />
      )}
      {opened?.dialog === "save" && (
        <SaveModelDialog
          projectId={opened.model.projectId}
          earlier={opened.model.isCurrent ? null : opened.model}
          onClose={close}
        />
      )}
      {opened?.dialog === "compare" && first && second && (
        <Dialog onClose={close} title="Compare models" width="lg">
          <ModelDifferences {...{ first, second }} titles={[titleOf(first), titleOf(second)]} />
        </Dialog>
      )}
    </Card>
  );
}

/** Names the checkpoints that keep a model. */
function SavedAs({ checkpoints }: { checkpoints: readonly Checkpoint[] }) {
  if (checkpoints.length === 0) return null;
  const names = checkpoints.map(({ label, isDefault }) => `“${label}”${isDefault ? " (default)" : ""}`);
  return (
    <span className="block max-w-48 truncate xl:max-w-64 text-xs text-ink-faint" title={names.join(", ")}>
      saved as {names.join(", ")}
    </span>
  );
}
