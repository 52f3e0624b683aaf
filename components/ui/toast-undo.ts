import { toast } from "sonner";

/** Shows a success message with an Undo button. */
export function toastWithUndo(message: string, undo: () => Promise<unknown>): void {
  toast.success(message, {
    // Long enough to reach the button by keyboard.
    duration: 12_000,
    action: {
      label: "Undo",
      onClick: () => {
        undo().then(
          () => toast.success("Undone."),
          (error: unknown) => toast.error(error instanceof Error ? error.message : String(error)),
        );
      },
    },
  });
}
