// Test files share processes (`isolate: false`), because loading the modules takes longer than many tests. Each file
// starts with the environment of the run, and without the objects that the service keeps in `globalThis`.
const shared = globalThis as typeof globalThis & {
  stateOfRun?: { environment: NodeJS.ProcessEnv; names: ReadonlySet<string> };
};

shared.stateOfRun ??= { environment: { ...process.env }, names: new Set(Object.keys(globalThis)) };
const { environment, names } = shared.stateOfRun;

for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
Object.assign(process.env, environment);
clearObjects();

/** Clears the objects of the process, as between two test files. */
export function clearObjects(): void {
  for (const name of Object.keys(globalThis)) {
    if (!names.has(name) && name !== "stateOfRun" && !name.startsWith("__"))
      Reflect.deleteProperty(globalThis, name);
  }
}
