import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Tooltip } from "radix-ui";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { queries } from "#components/api/queries.ts";
import { ViewerProvider } from "#components/api/viewer.tsx";
import type { OwnSession } from "#lib/contract/account";
import { analyst } from "#testing/viewer";
import { AccountPage } from "./account-page.tsx";

const own: OwnSession = {
  id: "own",
  isCurrent: true,
  userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0",
  address: "192.0.2.1",
  createdAt: "2026-02-01T07:00:00.000Z",
  lastUsedAt: "2026-02-01T09:30:00.000Z",
  expiresAt: "2026-02-08T07:00:00.000Z",
};
const other: OwnSession = { ...own, id: "other", isCurrent: false, userAgent: "curl/8.5.0", address: null };
/** Renders the page with these sessions; while they load, if they are undefined. */
function render(sessions: OwnSession[] | undefined): string {
  const client = new QueryClient();
  if (sessions) client.setQueryData(queries.sessions().queryKey, sessions);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <ViewerProvider viewer={analyst}>
          <AccountPage />
        </ViewerProvider>
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
}

test("marks the current session, and offers to end the others", () => {
  const html = render([own, other]);
  for (const text of ["Firefox on Windows", "192.0.2.1", "curl/8.5.0", "Unknown address"]) {
    expect(html).toContain(text);
  }
  expect(html.match(/this session/g)).toHaveLength(1);
  expect(html.match(/aria-label="End the session of [^"]*"/g)).toEqual([
    'aria-label="End the session of curl/8.5.0"',
  ]);
  expect(html).toContain("End all other sessions");
});

test("says that there are no other sessions, and shows that sessions load", () => {
  expect(render([own])).toContain("You are signed in only here.");
  expect(render([own])).not.toContain("End all other sessions");
  expect(render(undefined)).toContain('aria-label="Loading"');
});
