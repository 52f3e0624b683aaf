"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { toast } from "sonner";
import { z } from "zod";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useMay, useViewer } from "#components/api/viewer.tsx";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { useReason } from "#components/form/use-reason.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { quoted } from "#components/ui/format.ts";
import { Input } from "#components/ui/input.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { counted } from "#lib/contract/counted";
import { limits } from "#lib/contract/limits";
import { ComparisonName, type SavedComparison } from "#lib/contract/saved-comparisons";
import { DecisionDialog } from "./decision-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";

/** Saves the shown comparison under a name, and opens, renames and deletes saved ones. */
export default function SavedComparisonsDialog({
  projectId,
  shown,
  onOpen,
  onClose,
}: {
  projectId: string;
  /** The comparison on the page; null for runs, and for too few or too many scenarios. */
  shown: { ids: readonly string[]; baselineId: string | null } | null;
  onOpen(ids: string[]): void;
  onClose(): void;
}) {
  const client = useQueryClient();
  const saved = useQuery(queries.comparisons(projectId));
  const [renamed, setRenamed] = useState<string | null>(null);
  const { sharesComparisons } = useViewer();
  const may = useMay();
  const [sharing, setSharing] = useState<SavedComparison | null>(null);
  const [decided, setDecided] = useState<SavedComparison | null>(null);
  const path = `/projects/${projectId}/comparisons` as const;
  const reread = () => client.invalidateQueries({ queryKey: keys.comparisons(projectId) });
  const create = (name: string, scenarioIds: readonly string[]) =>
    api.post(path, { name, scenarioIds: [...scenarioIds] }).then(reread);
  const remove = useMutation({
    mutationFn: ({ id }: SavedComparison) => api.delete(`${path}/${id}`),
    onSuccess: (_, { name, scenarioIds, decision }) => {
      // Saving it again would not bring back what was expected at its decision.
      if (scenarioIds.length >= limits.compareMin && decision === null)
        toastWithUndo(`“${name}” was deleted.`, () => create(name, scenarioIds));
      else toast.success(`“${name}” was deleted.`);
    },
    onError: (error) => toast.error(error.message),
    onSettled: reread,
  });
  if (sharing !== null) return <ShareDialog comparison={sharing} onClose={() => setSharing(null)} />;
  if (decided !== null)
    return <DecisionDialog comparison={decided} onStored={reread} onClose={() => setDecided(null)} />;
  return (
    <Dialog
      onClose={onClose}
      title="Saved comparisons"
      description="Keeps scenarios and the baseline. To keep runs, copy the link of the page."
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {shown && may("createComparison") && (
        <SaveForm
          onSubmit={async (name) => {
            const { ids, baselineId } = shown;
            await create(name, baselineId ? [baselineId, ...ids.filter((id) => id !== baselineId)] : ids);
            toast.success(`“${name}” was saved.`);
          }}
        />
      )}
      <QueryState query={saved} rows={3} />
      {saved.data?.length === 0 && (
        <p className="py-3 text-[13px] text-ink-faint">No saved comparisons yet.</p>
      )}
      <ul className="mt-3 divide-y">
        {saved.data?.map((comparison) => (
          <li key={comparison.id} className="py-2">
            {renamed === comparison.id ? (
              <RenameForm comparison={comparison} onReread={reread} onDone={() => setRenamed(null)} />
            ) : (
              <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
                <span className="min-w-0 flex-1 basis-full sm:basis-40">
                  <span dir="auto" className="block text-[13px] font-medium [overflow-wrap:anywhere]">
                    {comparison.name}
                  </span>
                  <span className="text-xs text-ink-faint [overflow-wrap:anywhere]">
                    {comparison.decision
                      ? `Decided for ${quoted(comparison.decision.scenarioTitle)}`
                      : scenariosText(comparison)}
                  </span>
                </span>
                <Button
                  size="sm"
                  aria-label={`Open ${comparison.name}`}
                  onClick={() => onOpen(comparison.scenarioIds)}
                >
                  Open
                </Button>
                {may("updateComparison") && comparison.scenarioIds.length >= limits.compareMin && (
                  <Button
                    size="sm"
                    look="quiet"
                    aria-label={`Record a decision on ${comparison.name}`}
                    onClick={() => setDecided(comparison)}
                  >
                    Decide
                  </Button>
                )}
                {may("createComparisonLink") &&
                  sharesComparisons &&
                  comparison.scenarioIds.length >= limits.compareMin && (
                    <Button
                      size="sm"
                      look="quiet"
                      aria-label={`Share ${comparison.name}`}
                      onClick={() => setSharing(comparison)}
                    >
                      Share
                    </Button>
                  )}
                {may("updateComparison") && (
                  <Button
                    size="sm"
                    look="quiet"
                    aria-label={`Rename ${comparison.name}`}
                    onClick={() => setRenamed(comparison.id)}
                  >
                    Rename
                  </Button>
                )}
                {may("deleteComparison") && (
                  <Button
                    size="sm"
                    look="danger"
                    aria-label={`Delete ${comparison.name}`}
                    busy={remove.isPending && remove.variables.id === comparison.id}
                    onClick={() => remove.mutate(comparison)}
                  >
                    Delete
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function scenariosText({ scenarioIds: { length } }: SavedComparison): string {
  if (length >= limits.compareMin) return counted(length, "scenario");
  return length === 1 ? "1 scenario: the others were deleted" : "All of its scenarios were deleted";
}

function SaveForm({ onSubmit }: { onSubmit(name: string): Promise<void> }) {
  const [name, setName] = useState("");
  const submit = useMutation({ mutationFn: onSubmit, onSuccess: () => setName("") });
  const reason = useReason(name.trim() === "" ? "Enter a name" : null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (reason.ask()) submit.mutate(name);
  };
  return (
    <form onSubmit={send} className="space-y-2">
      <Field label="Name of the shown comparison" error={reason.shown}>
        <div className="flex gap-2">
          <Input
            maxLength={limits.comparisonNameMax}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" look="primary" busy={submit.isPending}>
            Save
          </Button>
        </div>
      </Field>
      <FormError message={submit.error?.message} />
    </form>
  );
}

const Names = z.object({ name: ComparisonName });

const read = ({ name }: SavedComparison) => ({ name });

/** Renames a saved comparison in its place in the list. */
function RenameForm({
  comparison,
  onReread,
  onDone,
}: {
  comparison: SavedComparison;
  onReread(): Promise<unknown>;
  onDone(): void;
}) {
  const path = `/projects/${comparison.projectId}/comparisons/${comparison.id}` as const;
  const { form, submit, conflict } = useEditForm(
    Names,
    read(comparison),
    {
      path,
      read,
      fields: [{ path: "name", label: "Name" }],
      send: ({ values }, etag) => api.patch(path, values, etag),
    },
    { refresh: onReread, done: onDone, message: ({ name }) => `Renamed to “${name}”.` },
  );
  const { errors, isSubmitting } = form.formState;
  return (
    <form onSubmit={submit} noValidate className="space-y-2">
      <EditConflict conflict={conflict} />
      <Field label={`New name of ${comparison.name}`} error={errors.name?.message}>
        <div className="flex gap-2">
          <Input maxLength={limits.comparisonNameMax} {...form.register("name")} />
          <Button type="submit" look="primary" busy={isSubmitting}>
            Rename
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </Field>
      <FormError message={errors.root?.message} />
    </form>
  );
}
