"use client";

import { useEffect, useId, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import type { OpenConflict } from "./use-edit-form.ts";

/** Shows own and stored texts of fields that have changed elsewhere, side by side, and asks which to keep. */
export function EditConflict({ conflict }: { conflict: OpenConflict | null }) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const error = conflict?.error;
  // The panel replaces the expected end of the form, so it must be seen and heard wherever the form is scrolled.
  useEffect(() => {
    if (error) panel.current?.focus();
  }, [error]);
  if (conflict === null || !error) return null;
  const { decide } = conflict;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby={id}
      className="space-y-3 rounded-md border border-warn/40 bg-warn-wash/60 px-4 py-3 text-[13px]"
    >
      <p id={id} className="font-medium text-warn">
        Changed elsewhere while you edited. Nothing is saved yet.
      </p>
      {error.conflicts.map(({ path, label, mine, stored }) => (
        <div key={path}>
          <h3 className="mb-1 font-medium">{label}</h3>
          <dl className="grid gap-2 sm:grid-cols-2">
            <Version name="Yours" text={mine} />
            <Version name="Stored" text={stored} />
          </dl>
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" look="primary" onClick={() => decide("mine")}>
          Keep mine
        </Button>
        <Button size="sm" onClick={() => decide("theirs")}>
          Take theirs
        </Button>
        <Button size="sm" look="quiet" onClick={() => decide("edit")}>
          Keep editing
        </Button>
      </div>
    </section>
  );
}

function Version({ name, text }: { name: string; text: string }) {
  return (
    <div className="min-w-0 rounded-sm border bg-raised px-3 py-2">
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text === "" ? <span className="text-ink-faint">empty</span> : text}
      </dd>
    </div>
  );
}
