import { manifestFileName } from "./artifact-store.ts";

const keyPattern = /^[a-z0-9_-]{1,100}(\/[a-z0-9_-]{1,100}){0,9}$/;
const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** @throws {TypeError} for a key that could lead out of the store: keys come from ids and slugs, so that is a mistake */
export function checkKey(key: string): void {
  if (!keyPattern.test(key)) throw new TypeError(`Not a storage key: ${JSON.stringify(key)}`);
}

/** @throws {TypeError} for a file name with a path in it, a hidden one, or the manifest's */
export function checkFileName(name: string): void {
  if (!namePattern.test(name) || name === manifestFileName) {
    throw new TypeError(`Not a file name for storage: ${JSON.stringify(name)}`);
  }
}
