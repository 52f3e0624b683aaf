import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { toast } from "sonner";
import { Button, type ButtonProps } from "./button.tsx";
import { Menu, MenuItem } from "./menu.tsx";

/** Menu of files to save. Its button shows the progress, and a message shows an error. */
export function DownloadMenu({
  label,
  items,
  ...button
}: ButtonProps & { label: string; items: readonly (readonly [name: string, save: () => Promise<void>])[] }) {
  const download = useMutation({
    mutationFn: (save: () => Promise<void>) => save(),
    onError: (error) => toast.error(error.message),
  });
  return (
    <Menu
      trigger={
        <Button {...button} busy={download.isPending}>
          <Download className={button.size === "sm" ? "size-3.5" : "size-4"} /> {label}
        </Button>
      }
    >
      {items.map(([name, save]) => (
        <MenuItem key={name} onSelect={() => download.mutate(save)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
