"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { ThemeProvider } from "next-themes";
import { Tooltip } from "radix-ui";
import { type ReactNode, useState } from "react";
import { ApiError } from "#components/api/client.ts";

// No toasts appear before the first paint.
const Toaster = dynamic(() => import("sonner").then((file) => file.Toaster), { ssr: false });

/** Does not retry 4xx responses: a retry returns the same response. */
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
      <QueryClientProvider client={client}>
        <Tooltip.Provider delayDuration={250}>{children}</Tooltip.Provider>
        <Toaster position="bottom-right" toastOptions={{ className: "font-sans" }} />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
