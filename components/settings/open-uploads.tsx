"use client";

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { formatBytes } from "#components/ui/format.ts";
import { ShowMore } from "#components/ui/show-more.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { ProjectSpace } from "#lib/contract/space";
import type { ListedUpload } from "#lib/contract/uploads";

type Limits = ProjectSpace["openUploads"];

/** Lists the uploads that no request has used yet, and deletes them. */
export function OpenUploads({ projectId, limits }: { projectId: string; limits: Limits }) {
  const uploads = useInfiniteQuery(queries.uploads(projectId));
  const nameOf = useMemberNames();
  const { count, limitCount, bytes, limitBytes } = limits;
  return (
    <div className="border-t">
      <div className="px-5 pt-4 pb-3">
        <h3 className="text-[13px] font-semibold">Open uploads</h3>
        <p className="figures text-[13px] text-ink-faint">
          {count === 0
            ? "None. Files that programs upload appear here until they are used."
            : `${count} of ${limitCount.toLocaleString("en")} · ${formatBytes(bytes)} of ${formatBytes(limitBytes)} · deleted after 24 hours`}
        </p>
      </div>
      <QueryState query={uploads} rows={1} />
      {uploads.data && uploads.data.length > 0 && (
        <Table>
          <thead>
            <tr>
              <Th>Size</Th>
              <Th>Uploaded</Th>
              <Th>By</Th>
              <HiddenTh>Actions</HiddenTh>
            </tr>
          </thead>
          <tbody className="figures">
            {uploads.data.map((upload) => (
              <UploadRow key={upload.id} upload={upload} author={nameOf(upload.createdBy)} />
            ))}
          </tbody>
        </Table>
      )}
      <ShowMore list={uploads}>Show older uploads</ShowMore>
    </div>
  );
}

function UploadRow({ upload, author }: { upload: ListedUpload; author: string }) {
  const { id, projectId, bytes, createdAt } = upload;
  const client = useQueryClient();
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.delete(`/projects/${projectId}/uploads/${id}`),
    onSuccess: () => {
      toast.success("The upload was deleted.");
      setAsking(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
  return (
    <tr>
      <Td className="font-medium whitespace-nowrap">{formatBytes(bytes)}</Td>
      <Td className="text-ink-faint">
        <Time at={createdAt} />
      </Td>
      <Td className="text-ink-faint">{author}</Td>
      <Td className="text-right">
        {may("deleteUpload") && (
          <Button
            size="sm"
            look="danger"
            onClick={() => setAsking(true)}
            aria-label={`Delete ${formatBytes(bytes)}`}
          >
            Delete
          </Button>
        )}
        <ConfirmDialog
          open={asking}
          title="Delete this upload?"
          action="Delete upload"
          busy={remove.isPending}
          onCancel={() => {
            setAsking(false);
            remove.reset();
          }}
          onConfirm={() => remove.mutate()}
        >
          <FormError message={remove.error?.message} />
          <p>
            The file of {formatBytes(bytes)} is deleted. Programs that want to use it must upload it again.
          </p>
        </ConfirmDialog>
      </Td>
    </tr>
  );
}
