type Situation = {
  url: string;
  hasUsers: boolean;
  adminEmail: string | null;
  demoFailed: boolean;
  startMs: number;
};

/** What the person who started the service sees last: where it is, and what to do there. */
export function readyMessage({ url, hasUsers, adminEmail, demoFailed, startMs }: Situation): string {
  const next = hasUsers
    ? `Sign in on ${url}/login${adminEmail === null ? "" : ` as ${adminEmail}`}.`
    : `Open ${url}/setup to create the first admin.`;
  return [
    `ready on ${url}`,
    "",
    `  ${next}`,
    `  The API is described on ${url}/docs.`,
    ...(demoFailed ? ["  The demo could not be loaded; the next start tries again."] : []),
    `  Started in ${(startMs / 1000).toFixed(1)} s. Ctrl-C stops everything.`,
    "",
  ].join("\n");
}
