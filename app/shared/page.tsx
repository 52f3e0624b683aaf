import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Logo } from "#components/layout/logo.tsx";
import { ThemeToggle } from "#components/layout/theme-toggle.tsx";
import { SharedComparison } from "#components/shared/shared-comparison.tsx";
import { environment } from "#lib/platform/config/environment";

export const metadata: Metadata = { title: "Shared comparison", robots: { index: false, follow: false } };

export default function SharedPage() {
  if (!environment().comparisonLinks) notFound();
  return (
    <>
      <header className="flex items-center justify-between px-6 py-4">
        <Logo />
        <ThemeToggle />
      </header>
      <main className="mx-auto max-w-7xl px-4 pt-4 pb-16 sm:px-6">
        <SharedComparison />
      </main>
    </>
  );
}
