// node scripts/probe.ts <address>: exits with code 0 if the address returns 200. Used for container health checks.
export {};

const address = process.argv[2] ?? "";
try {
  const { status } = await fetch(address, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1; // No response.
}
