import type { ReactNode } from "react";
import { FormError } from "./server-errors.tsx";

/** Footer of a dialog: why its form cannot be sent, in view wherever the dialog is scrolled, above the buttons. */
export function FormFooter({ reason, children }: { reason: string | undefined; children: ReactNode }) {
  return (
    <div className="w-full space-y-3">
      <FormError message={reason} />
      <div className="flex justify-end gap-2">{children}</div>
    </div>
  );
}
