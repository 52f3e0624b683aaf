"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { ApiError, api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { ColumnMap } from "#components/csv/column-map.tsx";
import { ColumnSelect } from "#components/csv/column-select.tsx";
import { FilePreview } from "#components/csv/file-preview.tsx";
import { FaultList, WarningList } from "#components/csv/issue-list.tsx";
import { sendCsv } from "#components/csv/send-csv.ts";
import { useColumnNames } from "#components/csv/use-column-names.ts";
import { useCsvPreview } from "#components/csv/use-csv-preview.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset, PutDataset } from "#lib/contract/datasets";
import type { CsvOptions } from "#lib/engine/csv/options";
import { ColumnRoles, type Roles } from "./column-roles.tsx";
import { frequencyText } from "./frequency-text.ts";
import { noRoles, rolesAsBefore } from "./roles.ts";

/** Choose a CSV, see how it is understood, say what to predict; nothing is sent before the file is sound. */
export function DatasetForm({
  projectId,
  former,
  onDone,
}: {
  projectId: string;
  /** The dataset that is replaced: its columns keep their parts, under near names too. */
  former: Dataset | null;
  onDone(): void;
}) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [roles, setRoles] = useState<Roles>(noRoles);
  const [sent, setSent] = useState(0);
  const options: CsvOptions = {
    timestamp: roles.timestamp.length > 0 ? roles.timestamp : null,
    exclude: roles.exclude,
    categories: roles.categories,
  };
  const { preview, fraction, failure } = useCsvPreview(file, { options });
  const columns = useColumnNames(file, (chosen) => {
    setFile(chosen);
    setRoles(noRoles);
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
      };
      return api.put<Dataset>(`/projects/${projectId}/dataset`, body);
    },
    onSuccess: async (dataset) => {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      toast.success(`Saved ${counted(dataset.rowCount, "row")}.`);
      onDone();
    },
  });
  // Once for each file: what was chosen since is not undone when the file is read anew.
  const proposedFor = useRef<File | null>(null);
  const header = preview?.header;
  useEffect(() => {
    if (!former || !header || proposedFor.current === file) return;
    proposedFor.current = file;
    setRoles(rolesAsBefore(former, header));
  }, [former, header, file]);
  const refused = save.error instanceof ApiError ? save.error : null;
  return (
    <div className="space-y-5">
      <FileDrop
        label="Choose a CSV file"
        hint="or drop it here: one header line, one row a point in time or a case"
        accept=".csv,.tsv,text/csv,text/tab-separated-values"
        file={file}
        onFile={columns.choose}
      />
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
            columns={columns}
          />
          <FaultList faults={preview.faults} total={preview.faultCount} />
          <WarningList warnings={preview.warnings} />
          <FilePreview preview={preview} />
          {preview.header.length > 0 && (
            <>
              <Field label="Target" help="The number to predict">
                {(control) => (
                  <ColumnSelect
                    {...control}
                    names={preview.columns.filter(({ type }) => type === "number").map(({ name }) => name)}
                    value={roles.target}
                    none="Choose a column"
                    onChange={(target) => setRoles({ ...roles, target })}
                  />
                )}
              </Field>
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
      {refused && (
        <>
          <FormError message={refused.message} />
          <FaultList faults={refused.details} />
        </>
      )}
      {save.isPending && sent > 0 && <Progress value={sent * 100} label="Uploading" />}
      <div className="flex justify-end">
        <Button
          look="primary"
          busy={save.isPending}
          disabled={!file || !preview || fraction !== null || preview.faultCount > 0 || roles.target === ""}
          onClick={() => file && save.mutate(file)}
        >
          Save dataset
        </Button>
      </div>
    </div>
  );
}
