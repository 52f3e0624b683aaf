import { type ReactNode, useId } from "react";
import { FieldControl } from "#components/ui/input.tsx";

/** Connects a label, the control inside, a hint and an error for screen readers and keyboards. */
export function Field({
  label,
  help,
  error,
  optional = false,
  children,
}: {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 flex items-baseline justify-between text-[13px] font-medium">
        {label}
        {optional && <span className="text-xs font-normal text-ink-faint">optional</span>}
      </label>
      <FieldControl
        value={{
          id,
          "aria-invalid": error !== undefined,
          "aria-describedby": error || help ? noteId : undefined,
        }}
      >
        {children}
      </FieldControl>
      {(error || help) && (
        <p id={noteId} className={error ? "mt-1.5 text-xs text-bad" : "mt-1.5 text-xs text-ink-faint"}>
          {error ?? help}
        </p>
      )}
    </div>
  );
}
