"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries } from "#components/api/queries.ts";
import { ColumnMap } from "#components/csv/column-map.tsx";
import { FaultList, WarningList } from "#components/csv/issue-list.tsx";
import { useColumnNames } from "#components/csv/use-column-names.ts";
import { useCsvPreview } from "#components/csv/use-csv-preview.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import type { InputFeature } from "#lib/contract/models";
import type { FeatureFormat } from "#lib/engine/csv/read-for-features";
import { FilePreview } from "./file-preview.tsx";

/** The features that the chosen model reads: the checkpoint's, or the current model's where a new one is saved. */
export function useInputFeatures(projectId: string, checkpointId: string): readonly InputFeature[] | null {
  const checkpoint = useQuery({
    ...queries.checkpoint(projectId, checkpointId),
    enabled: checkpointId !== "",
  });
  const models = useQuery({ ...queries.models(projectId), enabled: checkpointId === "" });
  if (checkpointId !== "") return checkpoint.data?.inputFeatures ?? null;
  return models.data?.find(({ isCurrent }) => isCurrent)?.inputFeatures ?? null;
}

/** How files for the model are written, as far as its features and the project's data tell. */
function formatOf(features: readonly InputFeature[], dataset: Dataset | null): FeatureFormat {
  const { timezone = "UTC", dateOrder = null, missing = [] } = dataset ?? {};
  const times = features.filter(({ role }) => role === "timestamp").map(({ name }) => name);
  return { timestampColumns: times.length > 0 ? times : null, timezone, dateOrder, missing };
}

/** The scenario's CSV, read and checked here with the service's own module before anything is sent. */
export function CsvInput({
  features,
  dataset,
  file,
  onFile,
  onChecked,
}: {
  features: readonly InputFeature[];
  dataset: Dataset | null;
  file: File | null;
  onFile(file: File): void;
  onChecked(valid: boolean): void;
}) {
  const columns = useColumnNames(file, onFile);
  const { preview, fraction, failure } = useCsvPreview(file, {
    features,
    format: formatOf(features, dataset),
    mayBeLonger: true,
  });
  const valid = fraction === null && preview?.faultCount === 0;
  useEffect(() => onChecked(valid), [valid, onChecked]);
  return (
    <div className="space-y-3">
      <FileDrop
        label="Choose a CSV file"
        hint={`It needs ${features
          .filter(({ required, role }) => required && role !== "upstream")
          .map(({ name }) => name)
          .join(", ")}`}
        accept=".csv,.tsv,text/csv,text/tab-separated-values"
        file={file}
        onFile={columns.choose}
      />
      {fraction !== null && <Progress value={fraction * 100} label="Reading the file" />}
      {failure !== null && <FormError message={failure} />}
      {preview && (
        <>
          {preview.faultCount === 0 && (
            <p className="flex items-center gap-2 text-[13px]">
              <Badge tone="good">Sound</Badge> {preview.isWhole ? "" : "The first "}
              {counted(preview.rowCount, "row fits", "rows fit")} the model.
            </p>
          )}
          {!preview.isWhole && (
            <p className="rounded-md bg-warn-wash px-4 py-2.5 text-[13px] text-warn">
              The file is too large to be looked at whole here: only its first{" "}
              {counted(preview.rowCount, "row")} were. The service checks all of them.
            </p>
          )}
          <ColumnMap
            header={preview.header}
            wanted={features.map(({ name, role, required }) => ({
              name,
              required: required || role === "timestamp",
            }))}
            columns={columns}
          />
          <FaultList faults={preview.faults} total={preview.faultCount} />
          <WarningList warnings={preview.warnings} />
          <AbsentFeatures features={features} header={preview.header} />
          <FilePreview preview={preview} known={{ words: "trained on", columns: features }} />
        </>
      )}
    </div>
  );
}

/** Features that the file lacks and need not have. */
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
  const told: [string, InputFeature[]][] = [
    ["The model fills in what the file lacks", absent.filter((feature) => !isUpstream(feature))],
    ["Other projects predict", absent.filter(isUpstream)],
  ];
  return told.map(
    ([text, missing]) =>
      missing.length > 0 && (
        <p key={text} className="text-[13px] text-ink-soft">
          {text}: <span className="font-mono text-xs">{missing.map(({ name }) => name).join(", ")}</span>.
        </p>
      ),
  );
}
