"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ApiError, api, keys } from "#components/api/client.ts";
import { ColumnMap } from "#components/csv/column-map.tsx";
import { FilePreview } from "#components/csv/file-preview.tsx";
import { fileReason } from "#components/csv/file-reason.ts";
import { IssueList, WarningList } from "#components/csv/issue-list.tsx";
import { pageWords } from "#components/csv/page-words.ts";
import { sendCsv, TABLE_FILES } from "#components/csv/send-csv.ts";
import { useColumnNames } from "#components/csv/use-column-names.ts";
import { useCsvPreview } from "#components/csv/use-csv-preview.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { FormFooter } from "#components/form/form-footer.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { useAfterReading } from "#components/form/use-after-reading.ts";
import { useReason } from "#components/form/use-reason.ts";
import { seriesTimes } from "#components/time/period.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import { appendedWarnings, farOutside, readingOptionsOf } from "./append-reading.ts";

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
  /** Whether the question about values far outside the known range is open. */
  const [asking, setAsking] = useState(false);
  /** Version of the dataset that the user knows. */
  const [seen, setSeen] = useState(dataset.id);
  const columns = useColumnNames(file, dataset.reading?.encoding ?? null, setFile);
  const read = useCsvPreview(file, readingOptionsOf(dataset));
  const { preview, fraction, failure } = read;
  const reason = useReason(fileReason(file, read));
  const expected = dataset.columns.map(({ name, role, ...extent }) => ({
    name,
    extent,
    required: role !== "excluded",
  }));
  const save = useMutation({
    mutationFn: async (chosen: File) => {
      const source = await sendCsv(projectId, chosen, setSent);
      const path = `/projects/${projectId}/dataset` as const;
      return changeResource(path, (stored, etag) => {
        if (stored.id !== seen) {
          setSeen(stored.id);
          throw new ApiError(0, {
            message: `The dataset has changed elsewhere and has ${counted(stored.rowCount, "row")} now. Press “Add rows” again to add yours.`,
          });
        }
        return api.postTo(`${path}/rows`, { ...source, fileName: chosen.name }, etag);
      });
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      toast.success(`Added ${counted(saved.rowCount - dataset.rowCount, "row")}.`);
      onClose();
    },
  });
  const sending = useAfterReading(file, fraction !== null, () => {
    if (!reason.ask() || !file) return;
    if (far.length > 0) setAsking(true);
    else save.mutate(file);
  });
  const far = farOutside(preview?.warnings ?? []);
  const rejected = save.error instanceof ApiError ? save.error : null;
  const after = dataset.lastTargetTimestamp && seriesTimes([dataset.lastTargetTimestamp], dataset)[0];
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
          <Button look="primary" busy={save.isPending || sending.isWaiting} onClick={sending.start}>
            Add rows
          </Button>
        </FormFooter>
      }
    >
      <div className="space-y-5">
        <FileDrop
          label="Choose a CSV or Excel file"
          hint="with the same header as the dataset"
          accept={TABLE_FILES}
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
            <ColumnMap
              header={preview.sheet === null ? preview.header : []}
              wanted={expected}
              values={preview.unmatched}
              columns={columns}
            />
            <IssueList issues={preview.issues} total={preview.issueCount} />
            <ConfirmDialog
              open={asking}
              title="Add values far outside the known range?"
              action="Add them anyway"
              busy={false}
              onCancel={() => setAsking(false)}
              onConfirm={() => {
                setAsking(false);
                if (file) save.mutate(file);
              }}
            >
              <p>They may be typing errors, or in another unit.</p>
              <ul className="mt-2 list-disc space-y-1 pl-5">
                {far.map((message) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </ConfirmDialog>
            <WarningList warnings={appendedWarnings(preview.warnings, dataset)} />
            <FilePreview preview={preview} known={{ words: "so far", columns: dataset.columns }} />
          </>
        )}
        {save.error && <FormError message={pageWords(save.error.message)} />}
        {rejected && <IssueList issues={rejected.details} />}
        {save.isPending && sent > 0 && <Progress value={sent * 100} label="Uploading" />}
      </div>
    </Dialog>
  );
}
