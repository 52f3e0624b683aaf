import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { Providers } from "./providers.tsx";

export const metadata: Metadata = {
  title: { default: "Forkcast", template: "%s · Forkcast" },
  description: "Run scenarios through trained models and compare their predictions.",
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Every page is rendered for its request, so that its scripts carry the nonce of its Content-Security-Policy.
  await connection();
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <body className="min-h-dvh bg-canvas font-sans text-ink">
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
