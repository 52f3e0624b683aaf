"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries } from "#components/api/queries.ts";
import { ColumnMap } from "#components/csv/column-map.tsx";
import { IssueList, WarningList } from "#components/csv/issue-list.tsx";
import { useColumnNames } from "#components/csv/use-column-names.ts";
import { useCsvPreview } from "#components/csv/use-csv-preview.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import type { InputFeature, Model } from "#lib/contract/models";
import { FilePreview } from "./file-preview.tsx";
import { fileReason } from "./file-reason.ts";
import { formatOf } from "./format-of.ts";
import { TABLE_FILES } from "./send-csv.ts";

type Described = Pick<Model, "inputFeatures" | "featureEngineering">;

/** Description of the selected checkpoint, or of the current model if a new checkpoint is saved. */
export function useDescribedModel(projectId: string, checkpointId: string): Described | null {
  const checkpoint = useQuery(queries.checkpoint(projectId, checkpointId || null));
  const models = useQuery({ ...queries.models(projectId), enabled: checkpointId === "" });
  if (checkpointId !== "") return checkpoint.data ?? null;
  return models.data?.find(({ isCurrent }) => isCurrent) ?? null;
}

/** Reads and checks the scenario's CSV in the browser with the service's CSV module, before the upload. */
export function CsvInput({
  model,
  dataset,
  file,
  onFile,
  onReason,
}: {
  model: Described;
  dataset: Dataset | null;
  file: File | null;
  onFile(file: File): void;
  /** Receives the reason why the file cannot be sent; null if it can. */
  onReason(reason: string | null): void;
}) {
  const { inputFeatures: features } = model;
  const format = formatOf(model, dataset);
  const columns = useColumnNames(file, format.reading?.encoding ?? null, onFile);
  const read = useCsvPreview(file, { features, format, mayBeLonger: true });
  const { preview, fraction, failure } = read;
  const reason = fileReason(file, read);
  useEffect(() => onReason(reason), [reason, onReason]);
  return (
    <div className="space-y-3">
      <FileDrop
        label="Choose a CSV or Excel file"
        hint={`Required columns: ${features
          .filter(({ required, role }) => required && role !== "upstream")
          .map(({ name }) => name)
          .join(", ")}`}
        accept={TABLE_FILES}
        file={file}
        onFile={columns.choose}
      />
      {fraction !== null && <Progress value={fraction * 100} label="Reading the file" />}
      {failure !== null && <FormError message={failure} />}
      {preview && (
        <>
          {preview.issueCount === 0 && (
            <p className="flex items-center gap-2 text-[13px]">
              <Badge tone="good">Valid</Badge> {preview.isWhole ? "" : "The first "}
              {counted(preview.rowCount, "row fits", "rows fit")} the model.
            </p>
          )}
          {!preview.isWhole && (
            <p className="rounded-md bg-warn-wash px-4 py-2.5 text-[13px] text-warn">
              The file is too large to check completely in the browser. This preview covers the first{" "}
              {counted(preview.rowCount, "row")}. The service checks all rows.
            </p>
          )}
          <ColumnMap
            header={preview.sheet === null ? preview.header : []}
            wanted={features.map(({ name, role, required, ...extent }) => ({
              name,
              extent,
              required: required || role === "timestamp",
            }))}
            values={preview.unmatched}
            columns={columns}
          />
          <IssueList issues={preview.issues} total={preview.issueCount} />
          <WarningList warnings={preview.warnings} />
          <AbsentFeatures features={features} header={preview.header} />
          <FilePreview preview={preview} known={{ words: "trained on", columns: features }} />
        </>
      )}
    </div>
  );
}

/** Lists optional features that the file does not have. */
function AbsentFeatures({
  features,
  header,
}: {
  features: readonly InputFeature[];
  header: readonly string[];
}) {
  const absent = features.filter(
    ({ name, role, required }) =>
      header.length > 0 && !required && role !== "timestamp" && !header.includes(name),
  );
  const isUpstream = ({ role }: InputFeature) => role === "upstream";
  const groups: [string, InputFeature[]][] = [
    ["Missing columns that the model fills in", absent.filter((feature) => !isUpstream(feature))],
    ["Predicted by upstream projects", absent.filter(isUpstream)],
  ];
  return groups.map(
    ([text, missing]) =>
      missing.length > 0 && (
        <p key={text} className="text-[13px] text-ink-soft">
          {text}: <span className="font-mono text-xs">{missing.map(({ name }) => name).join(", ")}</span>.
        </p>
      ),
  );
}
