import type { ComponentProps, MouseEvent } from "react";
import { classNames } from "./class-names.ts";
import { Link } from "./link.tsx";
import { Spinner } from "./spinner.tsx";

const looks = {
  primary: "bg-accent text-accent-ink shadow-soft hover:bg-accent-hover",
  secondary: "border border-line-strong bg-surface text-ink shadow-soft hover:bg-sunken",
  quiet: "text-ink-soft hover:bg-sunken hover:text-ink",
  danger: "border border-bad/40 bg-surface text-bad hover:bg-bad-wash",
};
const sizes = { sm: "h-8 gap-1.5 px-2.5 text-[13px]", md: "h-9 gap-2 px-3.5", icon: "size-8 justify-center" };

type Style = { look?: keyof typeof looks; size?: keyof typeof sizes };

const classOf = (look: Style["look"] = "secondary", size: Style["size"] = "md", className?: string) =>
  classNames(
    "relative inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors disabled:opacity-55",
    looks[look],
    sizes[size],
    className,
  );

export type ButtonProps = ComponentProps<"button"> &
  Style & {
    /** Shows progress of the action. The button is disabled and keeps its width. Absent for a button without progress. */
    busy?: boolean;
  };

export function Button({ look, size, busy, className, children, disabled, onClick, ...props }: ButtonProps) {
  // A double click starts an action once: the second click may come before `busy` disables the button.
  const clickOnce = (event: MouseEvent<HTMLButtonElement>) => {
    if (event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
      // Without an action there is no handler, so that server components can render a button.
      onClick={busy === undefined ? onClick : clickOnce}
      className={classOf(look, size, className)}
    >
      {busy && <Spinner className="absolute" />}
      <span className={busy ? "contents text-transparent" : "contents"}>{children}</span>
    </button>
  );
}

/** Link that looks like a button. */
export function ButtonLink({ look, size, className, ...props }: ComponentProps<typeof Link> & Style) {
  return <Link {...props} className={classOf(look, size, className)} />;
}

/** Link to an address outside of the pages, such as a redirect to another site, that looks like a button. */
export function ButtonAnchor({ look, size, className, ...props }: ComponentProps<"a"> & Style) {
  return <a {...props} className={classOf(look, size, className)} />;
}
