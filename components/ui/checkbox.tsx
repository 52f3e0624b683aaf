import type { ComponentProps } from "react";

/** Native checkbox. Its children label it; without any, it needs an `aria-label`. */
export function Checkbox({ children, ...props }: ComponentProps<"input">) {
  const look = "block size-4 accent-accent";
  if (!children) return <input {...props} type="checkbox" className={look} />;
  return (
    <label className="flex items-center gap-2 text-[13px] has-disabled:text-ink-faint">
      <input {...props} type="checkbox" className={look} />
      {children}
    </label>
  );
}
