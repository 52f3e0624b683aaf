import { toast } from "sonner";

/** Says what was done, and takes it back where that is wanted. */
export function toastWithUndo(message: string, undo: () => Promise<unknown>): void {
  toast.success(message, {
    // Time enough to get there with a keyboard.
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
