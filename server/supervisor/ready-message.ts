type Situation = {
  url: string;
  hasUsers: boolean;
  adminEmail: string | null;
  demoFailed: boolean;
  startMs: number;
};

/** Returns the last message of the start: the address of the service and the first steps. */
export function readyMessage({ url, hasUsers, adminEmail, demoFailed, startMs }: Situation): string {
  const next = hasUsers
    ? `Sign in on ${url}/login${adminEmail === null ? "" : ` as ${adminEmail}`}.`
    : `Open ${url}/setup to create the first admin.`;
  return [
    `ready on ${url}`,
    "",
    `  ${next}`,
    `  The API is described on ${url}/docs.`,
    ...(demoFailed ? ["  The demo could not be loaded. The next start will retry."] : []),
    `  Started in ${(startMs / 1000).toFixed(1)} s. Ctrl-C stops everything.`,
    "",
  ].join("\n");
}
