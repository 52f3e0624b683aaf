const shared = globalThis as typeof globalThis & { processIsStopping?: boolean };

/** From now on readiness is refused, so that whoever spreads requests leaves this process out. */
export function markStopping(): void {
  shared.processIsStopping = true;
}

/** The web process holds two copies of this module, hence `globalThis`. */
export const isStopping = (): boolean => shared.processIsStopping ?? false;
