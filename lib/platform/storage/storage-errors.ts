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

/** Returns the result of a read, or null if the artifact does not exist. */
export async function nullIfNotFound<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof ArtifactNotFoundError) return null;
    throw error;
  });
}

export class ArtifactDamagedError extends Error {
  constructor(key: string, name: string, cause?: unknown) {
    const reason = cause === undefined ? "its SHA-256 differs from the manifest" : "it is not JSON";
    super(`${name} under ${key} is damaged: ${reason}.`, { cause });
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

/** The store is unreachable or overloaded. Retryable. */
export class StoreUnreachableError extends Error {
  readonly code = "ESTOREAWAY";

  constructor(cause: unknown) {
    super("The artifact store cannot be reached.", { cause });
    this.name = "StoreUnreachableError";
  }
}

/** The store is full. Has the error code of the file system. */
export class StoreFullError extends Error {
  readonly code = "ENOSPC";

  constructor(cause: unknown) {
    super("The artifact store is full.", { cause });
    this.name = "StoreFullError";
  }
}
