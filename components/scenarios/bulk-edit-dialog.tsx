"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ColorPicker } from "#components/ui/color-picker.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { counted } from "#lib/contract/counted";
import type { Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { changeTags, commonTags } from "./change-all.ts";
import { TagField } from "./tag-field.tsx";

type Props = {
  scenarios: readonly Scenario[];
  busy: boolean;
  /** Changes each scenario; null for no change. */
  onSave(change: (stored: Scenario) => UpdateScenario | null): void;
  onClose(): void;
};

/** Edits the tags that all selected scenarios have. */
export function BulkTagsDialog({ scenarios, ...props }: Props) {
  const [shown] = useState(() => commonTags(scenarios));
  const [chosen, setChosen] = useState(shown);
  return (
    <BulkDialog
      {...props}
      title={`Tags of ${counted(scenarios.length, "scenario")}`}
      change={(stored) => changeTags(stored, { shown, chosen })}
    >
      <p className="text-[13px] text-ink-soft">
        These tags are on every selected scenario. Other tags of single scenarios stay.
      </p>
      <TagField projectId={scenarios[0]!.projectId} value={chosen} error={undefined} onChange={setChosen} />
    </BulkDialog>
  );
}

/** Sets one colour for all selected scenarios. */
export function BulkColorDialog({ scenarios, ...props }: Props) {
  const [color, setColor] = useState(scenarios[0]!.color);
  return (
    <BulkDialog
      {...props}
      title={`Colour of ${counted(scenarios.length, "scenario")}`}
      change={(stored) => (stored.color === color ? null : { color })}
    >
      <p className="text-[13px] text-ink-soft">
        All selected scenarios get this colour. Charts tell them apart by dashes.
      </p>
      <ColorPicker value={color} onChange={setColor} />
    </BulkDialog>
  );
}

function BulkDialog({
  title,
  change,
  busy,
  onSave,
  onClose,
  children,
}: Omit<Props, "scenarios"> & {
  title: string;
  change(stored: Scenario): UpdateScenario | null;
  children: ReactNode;
}) {
  return (
    <Dialog
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => onSave(change)}>
            Save
          </Button>
        </>
      }
    >
      <div className="space-y-4">{children}</div>
    </Dialog>
  );
}
