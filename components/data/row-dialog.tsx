"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ApiError, api, keys } from "#components/api/client.ts";
import { IssueList } from "#components/csv/issue-list.tsx";
import { changeResource } from "#components/edit/change-resource.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import type { CorrectRows, DatasetRows } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";

type Row = DatasetRows["rows"][number];

/** Columns that can be edited: a dataset may have ten thousand. */
const shownColumns = 50;

/** Returns the value of a field: a number as a number, so that it does not depend on the decimal mark of the file. */
function cellOf(text: string, type: Dataset["columns"][number]["type"]) {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const isNumber = type === "number" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed);
  return isNumber ? Number(trimmed) : trimmed;
}

/** Corrects or deletes one row of the dataset. */
export default function RowDialog({
  projectId,
  dataset,
  row,
  versionId,
  onClose,
}: {
  projectId: string;
  dataset: Dataset;
  row: Row;
  /** Version of the dataset that numbers the row. The page behind the dialog follows changes from elsewhere. */
  versionId: string;
  onClose(): void;
}) {
  const client = useQueryClient();
  const isJoined = dataset.resample !== null || (dataset.timestamp?.length ?? 0) > 1;
  const columns = dataset.columns
    .filter(({ name, role }) => Object.hasOwn(row.values, name) && !(isJoined && role === "timestamp"))
    .slice(0, shownColumns);
  const textOf = (name: string) => String(row.values[name] ?? "");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const changed = columns.filter(({ name }) => texts[name] !== undefined && texts[name] !== textOf(name));
  const save = useMutation({
    mutationFn: (body: CorrectRows) => {
      const path = `/projects/${projectId}/dataset` as const;
      return changeResource(path, (stored, etag) => {
        if (stored.id !== versionId)
          throw new ApiError(0, {
            message: "The dataset has changed elsewhere. Close this dialog, and open the row again.",
          });
        return api.patch(`${path}/rows`, body, etag);
      });
    },
    onSuccess: async (_, { delete: deleted }) => {
      // Only then: the rows of the version before cannot be edited any more.
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      toast.success(deleted ? `Deleted row ${row.row}.` : `Corrected row ${row.row}.`);
      onClose();
    },
  });
  const values = Object.fromEntries(changed.map(({ name, type }) => [name, cellOf(texts[name]!, type)]));
  const rejected = save.error instanceof ApiError ? save.error : null;
  return (
    <Dialog
      onClose={onClose}
      title={`Row ${row.row}`}
      description="An empty field means a missing value."
      keepsEntries
      footer={
        <>
          <Button
            look="danger"
            className="mr-auto"
            busy={save.isPending}
            onClick={() => save.mutate({ delete: [row.row] })}
          >
            Delete row
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={save.isPending}
            disabled={changed.length === 0}
            onClick={() => save.mutate({ set: [{ row: row.row, values }] })}
          >
            Save row
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        {columns.map(({ name, type }) => (
          <Field key={name} label={name}>
            <Input
              inputMode={type === "number" ? "decimal" : "text"}
              value={texts[name] ?? textOf(name)}
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
            />
          </Field>
        ))}
        {save.error && <FormError message={save.error.message} />}
        {rejected && <IssueList issues={rejected.details} />}
      </div>
    </Dialog>
  );
}
