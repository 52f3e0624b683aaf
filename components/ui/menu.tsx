import { MoreHorizontal } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          // Above notifications, which would cover items, and stay as long as the pointer is on them.
          className="z-[1000000000] min-w-44 rounded-md border bg-raised p-1 shadow-lift"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Menu with the actions of a table row. */
export function RowMenu({ row, children }: { row: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={`Actions for ${row}`}>
          <MoreHorizontal className="size-4" />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}

export function MenuItem({
  children,
  onSelect,
  danger = false,
  disabled = false,
}: {
  children: ReactNode;
  onSelect(): void;
  danger?: boolean;
  disabled?: boolean;
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={disabled}
      className={classNames(
        "flex cursor-default items-center gap-2 rounded-sm px-2.5 py-1.5 text-[13px] outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunken",
        danger && "text-bad",
      )}
    >
      {children}
    </DropdownMenu.Item>
  );
}
