import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** For what cannot be undone: says what goes, and names the deed on the button. */
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
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onCancel()}
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
