import type { ComponentProps } from "react";
import { classNames } from "./class-names.tsx";

/** Scrolls sideways inside its card on narrow screens. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <div className="relative overflow-x-auto">
      <table {...props} className={classNames("w-full border-collapse text-[13px]", className)} />
    </div>
  );
}

export function Th({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...props}
      className={classNames(
        "border-b px-4 py-2 text-left text-xs font-medium whitespace-nowrap text-ink-faint first:pl-5 last:pr-5",
        className,
      )}
    />
  );
}

export function Td({ className, ...props }: ComponentProps<"td">) {
  return (
    <td
      {...props}
      className={classNames("border-b border-line/70 px-4 py-2.5 first:pl-5 last:pr-5", className)}
    />
  );
}
