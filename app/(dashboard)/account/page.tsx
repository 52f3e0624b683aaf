import type { Metadata } from "next";
import { AccountPage } from "#components/account/account-page.tsx";
import { TopBar } from "#components/layout/top-bar.tsx";

export const metadata: Metadata = { title: "Account" };

export default function Account() {
  return (
    <>
      <TopBar />
      <main id="content" tabIndex={-1} className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
        <AccountPage />
      </main>
    </>
  );
}
