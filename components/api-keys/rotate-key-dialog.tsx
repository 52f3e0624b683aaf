"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import type { ApiKey, CreatedApiKey } from "#lib/contract/api-keys";
import { CreatedKey } from "./created-key.tsx";

const overlaps = [
  [86_400, "for 1 day"],
  [7 * 86_400, "for 1 week"],
  [3_600, "for 1 hour"],
  [0, "no longer: revoke it now"],
] as const;

/** Replaces a key. The old key stays valid for the chosen time so that programs can switch. */
export default function RotateKeyDialog({
  projectId,
  apiKey,
  onClose,
}: {
  projectId: string;
  apiKey: ApiKey;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [overlapSeconds, setOverlapSeconds] = useState<number>(overlaps[0][0]);
  const rotate = useMutation({
    mutationFn: () =>
      api.post<CreatedApiKey>(`/projects/${projectId}/api-keys/${apiKey.id}/rotate`, { overlapSeconds }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
  return (
    <Dialog
      onClose={onClose}
      title={rotate.data ? "Your new API key" : `Rotate “${apiKey.name}”`}
      description={rotate.data ? undefined : "Creates a new key with the same name."}
      footer={
        rotate.data ? (
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
              Rotate key
            </Button>
          </>
        )
      }
    >
      {rotate.data ? (
        <CreatedKey projectId={projectId} created={rotate.data} />
      ) : (
        <div className="space-y-4 text-left">
          <FormError message={rotate.error?.message} />
          <Field label="The old key works" help="Time to update every program that uses it">
            {(control) => (
              <Select
                {...control}
                value={overlapSeconds}
                onChange={(event) => setOverlapSeconds(Number(event.target.value))}
                options={overlaps}
              />
            )}
          </Field>
        </div>
      )}
    </Dialog>
  );
}
