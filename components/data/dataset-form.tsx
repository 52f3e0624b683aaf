"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { ApiError, api } from "#components/api/client";
import { keys } from "#components/api/queries";
import { ColumnMap } from "#components/csv/column-map";
import { FaultList, WarningList } from "#components/csv/fault-list";
import { sendCsv } from "#components/csv/send-csv";
import { TablePreview } from "#components/csv/table-preview";
import { useColumnNames } from "#components/csv/use-column-names";
import { type ReadFile, useCsvFile } from "#components/csv/use-csv-file";
import { Field } from "#components/form/field";
import { FormError } from "#components/form/server-faults";
import { Button } from "#components/ui/button";
import { FileDrop } from "#components/ui/file-drop";
import { formatInteger } from "#components/ui/format";
import { Select } from "#components/ui/input";
import { Progress } from "#components/ui/progress";
import type { Dataset, PutDataset } from "#lib/contract/datasets";
import type { CsvOptions } from "#lib/csv/options";
import { ColumnRoles, type Roles } from "./column-roles.tsx";
import { ColumnTable } from "./column-table.tsx";
import { frequencyText } from "./frequency-text.tsx";
import { noRoles, rolesAsBefore } from "./roles.tsx";
import { useProfile } from "./use-profile.tsx";

const readOnce = (read: ReadFile, options: CsvOptions) => read(options);

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
  const csv = useCsvFile(file, options, readOnce);
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
      toast.success(`Saved ${formatInteger(dataset.rowCount)} rows.`);
      onDone();
    },
  });
  const result = csv.state === "read" ? csv.result : null;
  const profile = useProfile(result?.table ?? null, roles.timestamp[0] ?? null);
  // Once for each file: what was chosen since is not undone when the file is read anew.
  const proposedFor = useRef<File | null>(null);
  const header = result?.header;
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
      {csv.state === "reading" && <Progress value={csv.fraction * 100} label="Reading the file" />}
      {csv.state === "unreadable" && <FormError message={csv.message} />}
      {result && (
        <>
          <p className="text-[13px] text-ink-soft">
            {formatInteger(result.rowCount)} rows, {result.header.length} columns
            {roles.timestamp.length > 0 && profile && `, frequency: ${frequencyText(profile.frequency)}`}.
          </p>
          <ColumnMap
            header={result.header}
            wanted={(former?.columns ?? []).map(({ name }) => ({ name, required: false }))}
            columns={columns}
          />
          <FaultList faults={result.faults} total={result.faultCount} />
          <WarningList warnings={result.warnings} />
          {result.table.columns.length > 0 && <TablePreview table={result.table} />}
          {profile && profile.columns.length > 0 && (
            <div className="rounded-md border">
              <ColumnTable columns={profile.columns} rowCount={result.rowCount} />
            </div>
          )}
          {result.header.length > 0 && (
            <>
              <Field label="Target" help="The number to predict">
                {(control) => (
                  <Select
                    {...control}
                    value={roles.target}
                    onChange={(event) => setRoles({ ...roles, target: event.target.value })}
                  >
                    <option value="">Choose a column</option>
                    {result.columns
                      .filter(({ type }) => type === "number")
                      .map(({ name }) => (
                        <option key={name}>{name}</option>
                      ))}
                  </Select>
                )}
              </Field>
              <ColumnRoles
                header={result.header}
                columns={result.columns}
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
          disabled={!file || !result || result.faultCount > 0 || roles.target === ""}
          onClick={() => file && save.mutate(file)}
        >
          Save dataset
        </Button>
      </div>
    </div>
  );
}
