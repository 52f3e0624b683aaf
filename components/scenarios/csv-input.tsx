"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries } from "#components/api/queries";
import { ColumnMap } from "#components/csv/column-map";
import { FaultList, WarningList } from "#components/csv/fault-list";
import { TablePreview } from "#components/csv/table-preview";
import { useColumnNames } from "#components/csv/use-column-names";
import { type ReadFile, useCsvFile } from "#components/csv/use-csv-file";
import { FormError } from "#components/form/server-faults";
import { Badge } from "#components/ui/badge";
import { FileDrop } from "#components/ui/file-drop";
import { formatInteger } from "#components/ui/format";
import { Progress } from "#components/ui/progress";
import type { Dataset } from "#lib/contract/datasets";
import type { InputFeature } from "#lib/contract/models";
import { type FeatureFormat, readForFeatures } from "#lib/csv/read-for-features";

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

type Expected = { features: readonly InputFeature[]; format: FeatureFormat };

const readAndCheck = (read: ReadFile, { features, format }: Expected) =>
  readForFeatures(read, features, format);

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
  const csv = useCsvFile(file, { features, format: formatOf(features, dataset) }, readAndCheck);
  const check = csv.state === "read" ? csv.result.check : null;
  const valid = check?.valid ?? false;
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
      {csv.state === "reading" && <Progress value={csv.fraction * 100} label="Reading the file" />}
      {csv.state === "unreadable" && <FormError message={csv.message} />}
      {csv.state === "read" && check && (
        <>
          {check.valid && (
            <p className="flex items-center gap-2 text-[13px]">
              <Badge tone="good">Sound</Badge> {formatInteger(check.rowCount)} rows fit the model.
            </p>
          )}
          <ColumnMap
            header={csv.result.file.header}
            wanted={features.map(({ name, role, required }) => ({
              name,
              required: required || role === "timestamp",
            }))}
            columns={columns}
          />
          <FaultList faults={check.faults} total={check.faultCount} />
          <WarningList warnings={check.warnings} />
          {check.valid && <TablePreview table={csv.result.file.table} />}
        </>
      )}
    </div>
  );
}
