// node scripts/probe.ts <address>: ends with code 0 where the address answers 200, for checks of containers' health.
export {};

const address = process.argv[2] ?? "";
try {
  const { status } = await fetch(address, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1; // Nobody answers.
}
