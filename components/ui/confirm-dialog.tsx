import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

// Loaded on first use, because every table row contains one.
const Dialog = dynamic(() => import("./dialog.tsx").then((file) => file.Dialog), { ssr: false });

/** Confirms an irreversible action: describes the effect and names the action on the button. */
export function ConfirmDialog({
  open,
  title,
  action,
  busy,
  disabled = false,
  onCancel,
  onConfirm,
  children,
}: {
  open: boolean;
  title: string;
  action: string;
  busy: boolean;
  disabled?: boolean;
  onCancel(): void;
  onConfirm(): void;
  children: ReactNode;
}) {
  if (!open) return null;
  return (
    <Dialog
      onClose={onCancel}
      title={title}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button look="danger" busy={busy} disabled={disabled} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="text-left text-[13px] text-ink-soft">{children}</div>
    </Dialog>
  );
}
