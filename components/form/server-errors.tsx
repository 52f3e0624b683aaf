import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { ApiError } from "#components/api/client.ts";

/** Shows the service's validation errors on their fields; errors without a field appear on the form. */
export function showServerIssues<T extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<T>,
  fields: readonly Path<T>[],
): void {
  if (!(error instanceof ApiError)) throw error;
  let placed = false;
  for (const detail of error.details) {
    const { field } = detail;
    // An issue within a list, such as `dependencies.0.featureName`, belongs to its item.
    if (!field || !fields.some((name) => name === field || field.startsWith(`${name}.`))) continue;
    setError(field as Path<T>, { message: detail.message });
    placed = true;
  }
  if (placed) return;
  if (error.code === "duplicate_label" && fields.includes("label" as Path<T>)) {
    setError("label" as Path<T>, { message: error.message });
  } else setError("root", { type: error.code, message: error.message });
}

export function FormError({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p
      role="alert"
      className="rounded-md bg-bad-wash px-3 py-2 text-[13px] [overflow-wrap:anywhere] whitespace-pre-line text-bad"
    >
      {message}
    </p>
  );
}
