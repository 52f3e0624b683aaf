import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";

/** Shows the error of a form with settings. If they have changed elsewhere, offers to read them again. */
export function SettingsError({
  error,
  onReload,
}: {
  error: { type?: unknown; message?: string } | undefined;
  onReload(): Promise<void>;
}) {
  if (error?.type !== "precondition_failed") return <FormError message={error?.message} />;
  return (
    <>
      <FormError message={`${error.message} Reload to see them; your entries are discarded.`} />
      <Button size="sm" className="mt-2" onClick={() => void onReload()}>
        Reload
      </Button>
    </>
  );
}
