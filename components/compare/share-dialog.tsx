"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { Time } from "#components/ui/time.tsx";
import { counted } from "#lib/contract/counted";
import type { SavedComparison } from "#lib/contract/saved-comparisons";

const choices = [1, 7, 30, 90, 365];

/** Creates and revokes the link by which anybody can see a saved comparison. */
export function ShareDialog({ comparison, onClose }: { comparison: SavedComparison; onClose(): void }) {
  const { projectId, id, name } = comparison;
  const client = useQueryClient();
  const [days, setDays] = useState(30);
  const query = queries.comparisonLink(projectId, id);
  const link = useQuery(query);
  const path = `/projects/${projectId}/comparisons/${id}/link` as const;
  const reread = () => client.invalidateQueries({ queryKey: query.queryKey });
  const create = useMutation({
    mutationFn: () => api.post(path, { expiresInDays: days }),
    onSettled: reread,
  });
  const revoke = useMutation({
    mutationFn: () => api.post(`${path}/end`, {}),
    onSuccess: () => {
      create.reset();
      toast.success("The link was revoked.");
    },
    onSettled: reread,
  });
  const expiresAt = link.data?.expiresAt;
  return (
    <Dialog
      onClose={onClose}
      title={`Share “${name}”`}
      description="Anybody with the link sees this comparison as it is then, and nothing else."
      holdsSecret={create.isSuccess}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <div className="space-y-4 text-[13px]">
        <FormError message={(create.error ?? revoke.error)?.message} />
        <QueryState query={link} rows={1} />
        {create.data && (
          <>
            <p role="status" className="rounded-md bg-warn-wash px-3 py-2 text-warn">
              Copy it now. The service cannot show the link again.
            </p>
            <CodeBlock
              label="Link"
              code={`${location.origin}/shared#${create.data.token}`}
              copy="Copy link"
            />
          </>
        )}
        {expiresAt && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>
              The link ends <Time at={expiresAt} />.
            </p>
            <Button size="sm" look="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
              Revoke
            </Button>
          </div>
        )}
        {link.data && (
          <div className="flex flex-wrap items-end justify-between gap-2">
            <Field label="Ends after">
              <Select value={days} onChange={(event) => setDays(Number(event.target.value))}>
                {choices.map((count) => (
                  <option key={count} value={count}>
                    {counted(count, "day")}
                  </option>
                ))}
              </Select>
            </Field>
            <Button
              look={expiresAt ? "secondary" : "primary"}
              busy={create.isPending}
              onClick={() => create.mutate()}
            >
              {expiresAt ? "Replace the link" : "Create link"}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
