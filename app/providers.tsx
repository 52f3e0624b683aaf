"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { Tooltip } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Toaster } from "sonner";
import { ApiError } from "#components/api/client";

/** A refusal (4xx) is an answer: asking again would not change it. */
const retry = (count: number, error: Error) =>
  count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

export function Providers({ children, nonce }: { children: ReactNode; nonce: string | undefined }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { retry, staleTime: 10_000 }, mutations: { retry: false } },
      }),
  );
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      {...(nonce && { nonce })}
    >
      <NuqsAdapter>
        <QueryClientProvider client={client}>
          <Tooltip.Provider delayDuration={250}>{children}</Tooltip.Provider>
          <Toaster position="bottom-right" toastOptions={{ className: "font-sans" }} />
        </QueryClientProvider>
      </NuqsAdapter>
    </ThemeProvider>
  );
}
