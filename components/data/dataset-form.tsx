"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { ApiError, api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { ColumnMap } from "#components/csv/column-map.tsx";
import { ColumnSelect } from "#components/csv/column-select.tsx";
import { FilePreview } from "#components/csv/file-preview.tsx";
import { fileReason } from "#components/csv/file-reason.ts";
import { IssueList, WarningList } from "#components/csv/issue-list.tsx";
import { sendCsv } from "#components/csv/send-csv.ts";
import { useColumnNames } from "#components/csv/use-column-names.ts";
import { useCsvPreview } from "#components/csv/use-csv-preview.ts";
import { Field } from "#components/form/field.tsx";
import { focusInvalid } from "#components/form/focus-invalid.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { useReason } from "#components/form/use-reason.ts";
import { Button } from "#components/ui/button.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset, PutDataset } from "#lib/contract/datasets";
import { formatRequest } from "#lib/engine/csv/number-format";
import type { CsvOptions } from "#lib/engine/csv/options";
import { proposeReading } from "#lib/engine/csv/propose-reading";
import { ColumnRoles } from "./column-roles.tsx";
import { frequencyText } from "./frequency-text.ts";
import { plainReading, ReadingFields, type ReadingOptions } from "./reading-options.tsx";
import {
  confirmedAsBefore,
  firstRoles,
  noRoles,
  type Roles,
  readingAsBefore,
  rolesAsBefore,
  targetIssue,
  withTarget,
  withTimestamp,
} from "./roles.ts";

/** Form to choose a CSV file, review its columns and select the target. Uploads only a valid file. */
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
  const options: CsvOptions = {
    timestamp: roles.timestamp.length > 0 ? roles.timestamp : null,
    exclude: roles.exclude,
    categories: roles.categories,
    missing: reading.missing,
    numberFormats: reading.numberFormats,
    timezone: reading.timezone,
    dateOrder: reading.dateOrder,
  };
  const { resample, calendar } = reading;
  const series = roles.timestamp.length > 0 ? { resample, calendar, target: roles.target } : null;
  const read = useCsvPreview(file, { options, ...(series && { series }) });
  const { preview, fraction, failure } = read;
  const columns = useColumnNames(file, (chosen) => {
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
        exclude: roles.exclude,
        categories: roles.categories,
        ...(former && preview && { confirmed: confirmedAsBefore(former, preview.header) }),
        missing: reading.missing,
        numberFormats: reading.numberFormats.map(formatRequest),
        timezone: reading.timezone,
        ...(reading.dateOrder && { dateOrder: reading.dateOrder }),
        ...(series && calendar && { calendar }),
        ...(series && resample && { resample }),
      };
      return api.put<Dataset>(`/projects/${projectId}/dataset`, body);
    },
    onSuccess: async (dataset) => {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      toast.success(`Saved ${counted(dataset.rowCount, "row")}.`);
      onDone();
    },
  });
  // Runs once per file, so that a reread does not reset the user's choices.
  const proposedFor = useRef<File | null>(null);
  const found = preview?.columns;
  useEffect(() => {
    if (!found?.length || proposedFor.current === file) return;
    proposedFor.current = file;
    const header = found.map(({ name }) => name);
    setRoles(former ? rolesAsBefore(former, header) : firstRoles(found));
    if (former) setReading(readingAsBefore(former, header));
  }, [former, found, file]);
  const { numberFormats: formats, missing } = proposeReading(preview?.columns ?? [], reading);
  const fileIssue = fileReason(file, read);
  const wrongTarget = targetIssue(roles.target, preview?.profile ?? []);
  const reason = useReason(fileIssue ?? wrongTarget);
  const shownTargetIssue = roles.target === "" ? reason.shown : (wrongTarget ?? undefined);
  const form = useRef<HTMLDivElement>(null);
  const rejected = save.error instanceof ApiError ? save.error : null;
  return (
    <div ref={form} className="space-y-5">
      <FileDrop
        label="Choose a CSV file"
        hint="or drop it here: a header, one row per time or case"
        accept=".csv,.tsv,text/csv,text/tab-separated-values"
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
            {roles.timestamp.length > 0 && `, frequency: ${frequencyText(preview.frequency)}`}.
          </p>
          <ColumnMap
            header={preview.header}
            wanted={(former?.columns ?? []).map(({ name }) => ({ name, required: false }))}
            values={preview.unmatched}
            columns={columns}
          />
          {preview.hourColumn !== null && (
            <Proposal
              text="Days repeat. Is the hour in another column?"
              action={`Use ${preview.hourColumn} as the hour`}
              onUse={() =>
                setRoles(withTimestamp(roles, [...roles.timestamp.slice(0, 1), preview.hourColumn!]))
              }
            />
          )}
          {formats.length > 0 && (
            <Proposal
              text={`${formats.map(({ column }) => column).join(", ")}: numbers with a unit, digit grouping or another decimal mark.`}
              action="Read as numbers"
              onUse={() => setReading({ ...reading, numberFormats: [...reading.numberFormats, ...formats] })}
            />
          )}
          {missing.length > 0 && (
            <Proposal
              text={`Columns of numbers contain ${missing.map((text) => `"${text}"`).join(", ")}.`}
              action="Read as missing"
              onUse={() => setReading({ ...reading, missing: [...reading.missing, ...missing] })}
            />
          )}
          <IssueList issues={preview.issues} total={preview.issueCount} />
          <WarningList warnings={preview.warnings} />
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
                onChange={setReading}
                preview={preview}
                hasTimes={roles.timestamp.length > 0}
              />
              <ColumnRoles
                header={preview.header}
                columns={preview.columns}
                roles={roles}
                onChange={setRoles}
              />
            </>
          )}
        </>
      )}
      {rejected && (
        <>
          <FormError message={rejected.message} />
          <IssueList issues={rejected.details} />
        </>
      )}
      {save.isPending && sent > 0 && <Progress value={sent * 100} label="Uploading" />}
      {fileIssue !== null && <FormError message={reason.shown} />}
      <div className="flex justify-end">
        <Button
          look="primary"
          busy={save.isPending || fraction !== null}
          onClick={() => {
            if (reason.ask() && file) save.mutate(file);
            else focusInvalid(form.current);
          }}
        >
          Save dataset
        </Button>
      </div>
    </div>
  );
}

/** Proposes a way to read the file that removes issues. */
function Proposal({ text, action, onUse }: { text: string; action: string; onUse(): void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-md border border-accent/40 bg-accent-wash/40 px-4 py-2.5"
    >
      <p className="min-w-56 flex-1 text-[13px] font-medium [overflow-wrap:anywhere]">{text}</p>
      <Button size="sm" look="primary" onClick={onUse}>
        {action}
      </Button>
    </div>
  );
}

/** Offers a sample dataset, and a scenario input that fits it. */
function SampleFiles() {
  const link = "rounded-sm text-accent underline";
  return (
    <p className="text-[13px] text-ink-soft">
      Sample files:{" "}
      <a href="/samples/campus-energy-simulated.csv" download className={link}>
        training data
      </a>
      ,{" "}
      <a href="/samples/term-from-11-january.csv" download className={link}>
        scenario input
      </a>
    </p>
  );
}
