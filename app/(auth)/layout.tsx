import type { ReactNode } from "react";
import { Logo } from "#components/layout/logo.tsx";
import { ThemeToggle } from "#components/layout/theme-toggle.tsx";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between px-6 py-4">
        <Logo />
        <ThemeToggle />
      </header>
      <main className="flex flex-1 items-start justify-center px-4 pt-[12vh] pb-16">
        <div className="w-full max-w-sm rounded-lg border bg-surface p-7 shadow-soft">{children}</div>
      </main>
    </div>
  );
}
