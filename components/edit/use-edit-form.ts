"use client";

import { useState } from "react";
import { type DefaultValues, type FieldValues, get, type Path } from "react-hook-form";
import type { z } from "zod";
import { useServerForm } from "#components/form/use-server-form.ts";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { mergeEdits } from "./merge-edits.ts";
import { type Edit, EditConflictError, saveEdits } from "./save-edits.ts";

/** Decision on a conflict: save the own texts, use the stored ones, or go on editing. */
export type Decision = "mine" | "theirs" | "edit";

/** A conflict of a form, and how to end it. */
export type OpenConflict = { error: EditConflictError; decide(decision: Decision): void };

/**
 * Form that edits a stored resource with `If-Match`. If a field has changed elsewhere, saves nothing and returns the
 * conflict, which `EditConflict` shows.
 *
 * @param begin values of the form as it opens
 * @param options.refresh reads again what the page shows, after saving and after Undo
 * @param options.done is called after saving
 * @param options.message text of the toast after saving
 */
export function useEditForm<Values extends FieldValues, Valid extends Values, P extends string>(
  schema: z.ZodType<Valid, Values> & { shape: object },
  begin: Values,
  edit: Edit<Values, P>,
  options: {
    refresh(values: Values): Promise<unknown>;
    done?(): void;
    message(values: Values): string;
  },
) {
  const { form, submitWith } = useServerForm(schema, begin as DefaultValues<Values>);
  const [error, setError] = useState<EditConflictError<Values> | null>(null);
  const save = async (mine: Values, seen: Values) => {
    const saved = await saveEdits(edit, { seen, mine });
    await options.refresh(saved);
    return saved;
  };
  const submit = submitWith(async (mine) => {
    const seen = structuredClone(form.formState.defaultValues) as Values;
    try {
      const saved = await save(mine, seen);
      setError(null);
      options.done?.();
      toastWithUndo(options.message(saved), () =>
        // Undo changes back only what this save has changed.
        save(mergeEdits(edit.fields, { seen: mine, mine: seen, stored: saved }).values, saved),
      );
    } catch (cause) {
      if (!(cause instanceof EditConflictError)) throw cause;
      setError(cause as EditConflictError<Values>);
    }
  });
  /** Continues from the stored values. Keeps the user's own changes, except to the given fields. */
  const rebase = (stored: Values, except: readonly string[]) => {
    const mine = structuredClone(form.getValues());
    const seen = form.formState.defaultValues as Values;
    const { changed } = mergeEdits(edit.fields, { seen, mine, stored });
    form.reset(stored);
    for (const path of changed) {
      if (except.includes(path)) continue;
      form.setValue(path as Path<Values>, get(mine, path), { shouldDirty: true });
    }
  };
  const decide = (decision: Decision) => {
    const { stored, conflicts } = error!;
    rebase(stored, decision === "theirs" ? conflicts.map(({ path }) => path) : []);
    setError(null);
    if (decision === "mine") void submit();
  };
  const conflict: OpenConflict | null = error && { error, decide };
  return { form, submit, conflict };
}
