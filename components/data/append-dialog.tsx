"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ApiError, api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { ColumnMap } from "#components/csv/column-map.tsx";
import { FilePreview } from "#components/csv/file-preview.tsx";
import { fileReason } from "#components/csv/file-reason.ts";
import { IssueList, WarningList } from "#components/csv/issue-list.tsx";
import { sendCsv } from "#components/csv/send-csv.ts";
import { useColumnNames } from "#components/csv/use-column-names.ts";
import { useCsvPreview } from "#components/csv/use-csv-preview.ts";
import { FormFooter } from "#components/form/form-footer.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { useReason } from "#components/form/use-reason.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { formatSeriesTimes } from "#components/ui/format.ts";
import { Progress } from "#components/ui/progress.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import { appendedWarnings, readingOptionsOf } from "./append-reading.ts";

/** Adds actuals: rows with the same columns, later than the dataset's last row. */
export default function AppendDialog({
  projectId,
  dataset,
  onClose,
}: {
  projectId: string;
  dataset: Dataset;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  const columns = useColumnNames(file, setFile);
  const read = useCsvPreview(file, readingOptionsOf(dataset));
  const { preview, fraction, failure } = read;
  const reason = useReason(fileReason(file, read));
  const wanted = dataset.columns.map(({ name, role, ...extent }) => ({
    name,
    extent,
    required: role !== "excluded",
  }));
  const save = useMutation({
    mutationFn: async (chosen: File) => {
      const source = await sendCsv(projectId, chosen, setSent);
      return api.post<Dataset>(`/projects/${projectId}/dataset/rows`, { ...source, fileName: chosen.name });
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      toast.success(`Added ${counted(saved.rowCount - dataset.rowCount, "row")}.`);
      onClose();
    },
  });
  const rejected = save.error instanceof ApiError ? save.error : null;
  const after = dataset.lastTimestamp && formatSeriesTimes([dataset.lastTimestamp])[0];
  return (
    <Dialog
      onClose={onClose}
      title="Add rows"
      description={`Upload rows with the dataset's columns${after ? `, later than ${after}` : ""}. Predictions use the rows as history; scenarios and checkpoints are compared with them. No training is needed.`}
      width="lg"
      keepsEntries
      footer={
        <FormFooter reason={reason.shown}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={save.isPending || fraction !== null}
            onClick={() => reason.ask() && file && save.mutate(file)}
          >
            Add rows
          </Button>
        </FormFooter>
      }
    >
      <div className="space-y-5">
        <FileDrop
          label="Choose a CSV file"
          hint="or drop it here: same header line as the dataset"
          accept=".csv,.tsv,text/csv,text/tab-separated-values"
          file={file}
          onFile={(chosen) => {
            save.reset();
            columns.choose(chosen);
          }}
        />
        {fraction !== null && <Progress value={fraction * 100} label="Reading the file" />}
        {failure !== null && <FormError message={failure} />}
        {preview && (
          <>
            <p className="text-[13px] text-ink-soft">{counted(preview.rowCount, "row")}.</p>
            <ColumnMap header={preview.header} wanted={wanted} values={preview.unmatched} columns={columns} />
            <IssueList issues={preview.issues} total={preview.issueCount} />
            <WarningList warnings={appendedWarnings(preview.warnings, dataset)} />
            <FilePreview preview={preview} known={{ words: "so far", columns: dataset.columns }} />
          </>
        )}
        {save.error && <FormError message={save.error.message} />}
        {rejected && <IssueList issues={rejected.details} />}
        {save.isPending && sent > 0 && <Progress value={sent * 100} label="Uploading" />}
      </div>
    </Dialog>
  );
}
