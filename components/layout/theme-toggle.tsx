"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { Button } from "#components/ui/button.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";

export function ThemeToggle() {
  const { setTheme } = useTheme();
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label="Theme">
          <Sun className="size-4 dark:hidden" />
          <Moon className="hidden size-4 dark:block" />
        </Button>
      }
    >
      <MenuItem onSelect={() => setTheme("light")}>
        <Sun className="size-4" /> Light
      </MenuItem>
      <MenuItem onSelect={() => setTheme("dark")}>
        <Moon className="size-4" /> Dark
      </MenuItem>
      <MenuItem onSelect={() => setTheme("system")}>
        <Monitor className="size-4" /> System
      </MenuItem>
    </Menu>
  );
}
