import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { useFocusReturn } from "./use-focus-return.ts";

const stay = (event: Event) => event.preventDefault();

const widths = { md: "max-w-lg", lg: "max-w-3xl" };

/** Selects the first field of a dialog, rather than the close button. */
const fields = ["input:not([type=checkbox], [type=radio], [type=file])", "textarea", "select"]
  .map((field) => `${field}:enabled`)
  .join();

/**
 * Focuses its first field, traps the focus and restores it; Escape closes. On narrow screens the dialog fills the width
 * and scrolls inside. The footer stays visible. The top stays in place when the content grows.
 *
 * @param props.holdsSecret whether Escape and a click outside do nothing, because the content is shown only once
 * @param props.keepsEntries whether Escape, the close button and a click outside ask before they discard entries
 */
export function Dialog({
  title,
  description,
  children,
  footer,
  width = "md",
  keepsEntries = false,
  holdsSecret = false,
  onClose,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  width?: keyof typeof widths;
  keepsEntries?: boolean;
  holdsSecret?: boolean;
  onClose(): void;
}) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();
  const body = useRef<HTMLDivElement>(null);
  const hasEntries = useRef(false);
  const [asking, setAsking] = useState(false);
  const enter = () => {
    hasEntries.current = true;
  };
  const close = () => {
    if (keepsEntries && hasEntries.current) setAsking(true);
    else onClose();
  };
  const begin = (event: Event) => {
    onOpenAutoFocus();
    hasEntries.current = false;
    const field = body.current?.querySelector<HTMLElement>(fields);
    if (!field) return;
    event.preventDefault();
    field.focus();
    // Selects the text like the Tab key does, so that typing replaces it.
    if (field instanceof HTMLInputElement) field.select();
  };
  return (
    <Radix.Root open onOpenChange={close}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40 dark:bg-black/60" />
        <Radix.Content
          {...(!description && { "aria-describedby": undefined })}
          onOpenAutoFocus={begin}
          onCloseAutoFocus={onCloseAutoFocus}
          {...(holdsSecret && { onEscapeKeyDown: stay, onInteractOutside: stay })}
          onInput={enter}
          onDrop={enter}
          className={classNames(
            "fixed top-[max(1rem,8dvh)] left-1/2 z-50 flex max-h-[calc(100dvh-1rem-max(1rem,8dvh))] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-lg border bg-raised shadow-lift outline-none",
            widths[width],
          )}
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5 pb-4">
            <div>
              <Radix.Title className="text-base font-semibold tracking-tight">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-[13px] text-ink-faint">
                  {description}
                </Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button look="quiet" size="icon" aria-label="Close">
                <X className="size-4" />
              </Button>
            </Radix.Close>
          </div>
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-6 pb-5">
            {children}
          </div>
          {footer && <div className="flex justify-end gap-2 border-t px-6 py-4">{footer}</div>}
          {asking && (
            <Dialog
              onClose={() => setAsking(false)}
              title="Discard your entries?"
              footer={
                <>
                  <Button onClick={() => setAsking(false)}>Keep editing</Button>
                  <Button look="danger" onClick={onClose}>
                    Discard
                  </Button>
                </>
              }
            >
              <p className="text-[13px] text-ink-soft">The entries in “{title}” are not saved.</p>
            </Dialog>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
