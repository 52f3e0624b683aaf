/** Whether this process serves users, and not a developer or a test. */
export function inProduction(): boolean {
  return process.env.NODE_ENV === "production";
}
