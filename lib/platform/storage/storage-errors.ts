export class ArtifactNotFoundError extends Error {
  constructor(key: string, name: string, cause?: unknown) {
    super(`There is no ${name} under ${key}.`, { cause });
    this.name = "ArtifactNotFoundError";
  }

  /**
   * Compares by name: the web process has two copies of this class, one in the Next.js bundle and one in the sources.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "ArtifactNotFoundError";
  }
}

export class ArtifactDamagedError extends Error {
  constructor(key: string, name: string) {
    super(`${name} under ${key} is not what was written: its SHA-256 differs from the manifest's.`);
    this.name = "ArtifactDamagedError";
  }
}

export class ArtifactTooLargeError extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`More than ${limitBytes} bytes were sent.`);
    this.name = "ArtifactTooLargeError";
    this.limitBytes = limitBytes;
  }

  /**
   * Compares by name: the web process has two copies of this class, one in the Next.js bundle and one in the sources.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "ArtifactTooLargeError";
  }
}

/** The store cannot be reached, or refuses because it has too much to do: to be tried again later. */
export class StoreUnreachableError extends Error {
  readonly code = "ESTOREAWAY";

  constructor(cause: unknown) {
    super("The artifact store cannot be reached.", { cause });
    this.name = "StoreUnreachableError";
  }
}

/** The store has no room left, as the file system says it by the same code. */
export class StoreFullError extends Error {
  readonly code = "ENOSPC";

  constructor(cause: unknown) {
    super("The artifact store is full.", { cause });
    this.name = "StoreFullError";
  }
}
