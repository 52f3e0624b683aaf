"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { toast } from "sonner";
import { ApiError, keys } from "#components/api/client.ts";
import { ColumnMap } from "#components/csv/column-map.tsx";
import { ColumnSelect } from "#components/csv/column-select.tsx";
import { FilePreview } from "#components/csv/file-preview.tsx";
import { fileReason } from "#components/csv/file-reason.ts";
import { FirstLines } from "#components/csv/first-lines.tsx";
import { IssueList, WarningList } from "#components/csv/issue-list.tsx";
import { pageWords } from "#components/csv/page-words.ts";
import { ReadingChoices, withoutChoices } from "#components/csv/reading-choices.tsx";
import { sendCsv, TABLE_FILES } from "#components/csv/send-csv.ts";
import { SheetField } from "#components/csv/sheet-field.tsx";
import { useColumnNames } from "#components/csv/use-column-names.ts";
import { useCsvPreview } from "#components/csv/use-csv-preview.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { EditConflictError } from "#components/edit/save-edits.ts";
import { Field } from "#components/form/field.tsx";
import { focusInvalid } from "#components/form/focus-invalid.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { useAfterReading } from "#components/form/use-after-reading.ts";
import { useReason } from "#components/form/use-reason.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { counted } from "#lib/contract/counted";
import type { PutDataset } from "#lib/contract/dataset-requests";
import type { Dataset } from "#lib/contract/datasets";
import type { Choice } from "#lib/contract/reading";
import { formatRequest } from "#lib/engine/csv/number-format";
import type { CsvOptions } from "#lib/engine/csv/options";
import { ColumnRoles } from "./column-roles.tsx";
import { frequencyText } from "./frequency-text.ts";
import { plainReading, ReadingFields, type ReadingOptions, withChoice } from "./reading-options.tsx";
import { ReadingProposals } from "./reading-proposals.tsx";
import { replaceDataset } from "./replace-dataset.ts";
import {
  confirmedAsBefore,
  firstRoles,
  noRoles,
  type Roles,
  readingAsBefore,
  rolesAsBefore,
  targetIssue,
  withChosen,
  withTarget,
} from "./roles.ts";
import { SampleFiles } from "./sample-files.tsx";

/** Form to choose a file, review its columns and select the target. Uploads only a valid file. */
export default function DatasetForm({
  projectId,
  former,
  onDone,
}: {
  projectId: string;
  /** Dataset to replace: columns of the same name keep their roles; similar names are proposed. */
  former: Dataset | null;
  onDone(): void;
}) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [roles, setRoles] = useState<Roles>(noRoles);
  const [reading, setReading] = useState<ReadingOptions>(plainReading);
  const [sent, setSent] = useState(0);
  /** Whether the question is open that confirms the replacement. */
  const [asking, setAsking] = useState(false);
  /** Version of the dataset that the user replaces; null for the first dataset. */
  const seen = useRef(former?.id ?? null);
  const options: CsvOptions = {
    timestamp: roles.timestamp.length > 0 ? roles.timestamp : null,
    exclude: roles.exclude,
    categories: [...roles.categories, ...roles.series],
    missing: reading.missing,
    numberFormats: reading.numberFormats,
    timezone: reading.timezone,
    dateOrder: reading.dateOrder,
    timestampFormat: reading.timestampFormat,
    columnFormats: reading.columnFormats,
    skipRows: reading.skipRows,
    ...(reading.headerRow !== null && { headerRow: reading.headerRow }),
    ...(reading.encoding !== null && { encoding: reading.encoding }),
    ...(reading.sheet !== null && { sheet: reading.sheet }),
    ...(reading.shape !== null && { shape: reading.shape }),
    target: roles.target,
  };
  const { resample, calendar } = reading;
  const series =
    roles.timestamp.length > 0
      ? { resample, calendar, target: roles.target, seriesColumns: roles.series }
      : null;
  const read = useCsvPreview(file, { options, ...(series && { series }) });
  const { preview, fraction, failure } = read;
  const columns = useColumnNames(file, reading.encoding, (chosen) => {
    save.reset();
    setFile(chosen);
    setRoles(noRoles);
    setReading(plainReading);
  });
  const save = useMutation({
    mutationFn: async (chosen: File) => {
      const source = await sendCsv(projectId, chosen, setSent);
      const body: PutDataset = {
        ...source,
        fileName: chosen.name,
        target: roles.target,
        ...(roles.timestamp.length > 0 && { timestamp: roles.timestamp }),
        ...(roles.series.length > 0 && { series: roles.series }),
        exclude: roles.exclude,
        categories: roles.categories,
        ...(former && preview && { confirmed: confirmedAsBefore(former, preview.header) }),
        missing: reading.missing,
        numberFormats: reading.numberFormats.map(formatRequest),
        timezone: reading.timezone,
        ...(reading.dateOrder && { dateOrder: reading.dateOrder }),
        ...(reading.headerRow !== null && { headerRow: reading.headerRow }),
        ...(reading.encoding !== null && { encoding: reading.encoding }),
        ...(reading.sheet !== null && { sheet: reading.sheet }),
        ...(reading.shape !== null && { shape: reading.shape }),
        ...(reading.skipRows.length > 0 && { skipRows: reading.skipRows }),
        ...(reading.timestampFormat && { timestampFormat: reading.timestampFormat }),
        columnFormats: reading.columnFormats,
        ...(series && calendar && { calendar }),
        ...(series && resample && { resample }),
      };
      return replaceDataset(projectId, body, seen.current);
    },
    onSuccess: async (dataset) => {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      toast.success(`Saved ${counted(dataset.rowCount, "row")}.`);
      onDone();
    },
  });
  // Once per file, so that a reread does not reset the user's choices. While rendering, so that a form that waits for the
  // reading is not sent without them.
  const [proposedFor, setProposedFor] = useState<File | null>(null);
  const found = preview?.columns;
  if (found?.length && fraction === null && proposedFor !== file) {
    setProposedFor(file);
    const header = found.map(({ name }) => name);
    setRoles(former ? rolesAsBefore(former, header) : firstRoles(found));
    if (former)
      setReading(({ headerRow, encoding, skipRows, sheet }) => ({
        ...readingAsBefore(former, header),
        headerRow,
        encoding,
        skipRows,
        sheet,
      }));
  }
  const choose = (options: Choice["options"]) => {
    setRoles(withChosen(roles, options));
    setReading(withChoice(reading, options));
    save.reset();
  };
  // The page has a field for the sheet.
  const warnings = preview?.warnings.filter(({ code }) => code !== "other_sheets") ?? [];
  const issues = withoutChoices(preview?.issues ?? []);
  const fileIssue = fileReason(file, read);
  const wrongTarget = targetIssue(roles.target, preview?.profile ?? []);
  const reason = useReason(fileIssue ?? wrongTarget);
  const shownTargetIssue = roles.target === "" ? reason.shown : (wrongTarget ?? undefined);
  const form = useRef<HTMLDivElement>(null);
  const sending = useAfterReading(file, fraction !== null, () => {
    if (reason.ask() && file) former === null ? save.mutate(file) : setAsking(true);
    else focusInvalid(form.current);
  });
  const rejected = save.error instanceof ApiError ? save.error : null;
  return (
    <div ref={form} className="space-y-5">
      <FileDrop
        label="Choose a CSV or Excel file"
        hint="with a header, and one row per time or case, or per time and series"
        accept={TABLE_FILES}
        file={file}
        onFile={columns.choose}
      />
      {former === null && file === null && <SampleFiles />}
      {fraction !== null && <Progress value={fraction * 100} label="Reading the file" />}
      {failure !== null && <FormError message={failure} />}
      {preview && (
        <>
          <p className="text-[13px] text-ink-soft">
            {counted(preview.rowCount, "row")}, {counted(preview.header.length, "column")}
            {preview.seriesCount !== null && `, ${preview.seriesCount.toLocaleString("en")} series`}
            {roles.timestamp.length > 0 && `, frequency: ${frequencyText(preview.frequency)}`}.
          </p>
          <ColumnMap
            // Columns that become rows have no names to match.
            header={reading.shape === null && preview.sheet === null ? preview.header : []}
            wanted={(former?.columns ?? []).map(({ name }) => ({ name, required: false }))}
            values={preview.unmatched}
            columns={columns}
          />
          <SheetField
            sheet={preview.sheet}
            onChange={(sheet) => {
              setReading({ ...plainReading, sheet });
              setRoles(noRoles);
              setProposedFor(null);
            }}
          />
          {(preview.header.length === 0 || reading.headerRow !== null) && (
            <FirstLines
              lines={preview.firstLines}
              headerRow={reading.headerRow ?? 1}
              onChoose={(headerRow) => choose({ headerRow })}
            />
          )}
          <ReadingChoices findings={preview.issues} isNeeded onChoose={choose} />
          <ReadingChoices findings={warnings} onChoose={choose} />
          <ReadingProposals
            preview={preview}
            roles={roles}
            onRoles={setRoles}
            reading={reading}
            onReading={setReading}
          />
          <IssueList issues={issues} total={preview.issueCount - preview.issues.length + issues.length} />
          <WarningList warnings={withoutChoices(warnings)} />
          <FilePreview preview={preview} />
          {preview.header.length > 0 && (
            <>
              <Field
                label="Target"
                help="Column to predict: numbers, or two classes such as yes and no"
                error={fileIssue === null ? shownTargetIssue : undefined}
              >
                <ColumnSelect
                  names={preview.columns.filter(({ type }) => type !== "timestamp").map(({ name }) => name)}
                  value={roles.target}
                  none="Choose a column"
                  onChange={(target) => setRoles(withTarget(roles, target))}
                />
              </Field>
              <ReadingFields
                options={reading}
                onChange={(changed) => {
                  setReading(changed);
                  // The columns are those of the file again.
                  if (changed.shape !== reading.shape) setRoles(noRoles);
                }}
                preview={preview}
                times={roles.timestamp}
              />
              <ColumnRoles
                header={preview.header}
                columns={preview.columns}
                roles={roles}
                onChange={(changed) => {
                  setRoles(changed);
                  if (changed.timestamp.join() !== roles.timestamp.join())
                    setReading({ ...reading, timestampFormat: null });
                }}
              />
            </>
          )}
        </>
      )}
      <EditConflict
        conflict={
          save.error instanceof EditConflictError
            ? {
                error: save.error,
                decide: (decision) => {
                  seen.current = (save.error as EditConflictError<Dataset>).stored.id;
                  save.reset();
                  if (decision === "mine" && file) save.mutate(file);
                  if (decision !== "theirs") return;
                  void client.invalidateQueries({ queryKey: keys.project(projectId) });
                  onDone();
                },
              }
            : null
        }
      />
      {rejected && (
        <>
          <FormError message={pageWords(rejected.message)} />
          <ReadingChoices findings={rejected.details} isNeeded onChoose={choose} />
          <IssueList issues={withoutChoices(rejected.details)} />
        </>
      )}
      {save.isPending && sent > 0 && <Progress value={sent * 100} label="Uploading" />}
      {fileIssue !== null && <FormError message={reason.shown} />}
      <ConfirmDialog
        open={asking && former !== null}
        title="Replace the dataset?"
        action="Replace dataset"
        busy={false}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          if (file) save.mutate(file);
        }}
      >
        {`“${former?.fileName ?? "The dataset"}” has ${counted(former?.rowCount ?? 0, "row")}, “${file?.name ?? ""}” has ${counted(preview?.rowCount ?? 0, "row")}. The former data stay in the history, where you can restore them.`}
      </ConfirmDialog>
      <div className="flex justify-end">
        <Button look="primary" busy={save.isPending || sending.isWaiting} onClick={sending.start}>
          Save dataset
        </Button>
      </div>
    </div>
  );
}
