import { classNames } from "#components/ui/class-names.ts";

const tones: Record<string, string> = {
  GET: "bg-accent-wash text-accent",
  POST: "bg-good-wash text-good",
  PUT: "bg-warn-wash text-warn",
  PATCH: "bg-warn-wash text-warn",
  DELETE: "bg-bad-wash text-bad",
};

export function MethodBadge({ method, small = false }: { method: string; small?: boolean }) {
  return (
    <span
      className={classNames(
        "inline-block shrink-0 rounded-sm text-center font-mono font-semibold",
        small ? "w-12 py-px text-[10px]" : "px-1.5 py-0.5 text-xs",
        tones[method] ?? "bg-sunken text-ink-soft",
      )}
    >
      {method}
    </span>
  );
}
