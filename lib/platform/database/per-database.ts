import type { Database } from "#db/client";

const shared = globalThis as typeof globalThis & {
  objectsOfDatabases?: Map<string, WeakMap<Database, unknown>>;
};

/**
 * Returns a function that returns this process's single object of a kind for a database. The first call creates the
 * object. It is stored on `globalThis`, because the web process loads each module twice.
 */
export function perDatabase<T>(kind: string, make: (db: Database) => T): (db: Database) => T {
  return (db) => {
    shared.objectsOfDatabases ??= new Map();
    let objects = shared.objectsOfDatabases.get(kind);
    if (objects === undefined) {
      objects = new WeakMap();
      shared.objectsOfDatabases.set(kind, objects);
    }
    if (!objects.has(db)) objects.set(db, make(db));
    return objects.get(db) as T;
  };
}
