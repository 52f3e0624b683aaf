export const manifestFileName = "MANIFEST.json";

const keyPattern = /^[a-z0-9_-]{1,100}(\/[a-z0-9_-]{1,100}){0,9}$/;
const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/**
 * @throws {TypeError} for a key that could leave the store. Keys come from ids and slugs, so this is a programming
 *   error
 */
export function checkKey(key: string): void {
  if (!keyPattern.test(key)) throw new TypeError(`Not a storage key: ${JSON.stringify(key)}`);
}

/** @throws {TypeError} for a file name with a path, a hidden file, or the manifest */
export function checkFileName(name: string): void {
  if (!namePattern.test(name) || name === manifestFileName) {
    throw new TypeError(`Not a file name for storage: ${JSON.stringify(name)}`);
  }
}

/**
 * Returns the key of the folder that one attempt of a job writes. Each attempt has its own folder, so that a stale
 * attempt overwrites nothing. The row names the folder of the successful attempt.
 */
export function attemptKey(place: string, { id, attempt }: { id: string; attempt: number }): string {
  return `${place}-${id}-${attempt}`;
}
