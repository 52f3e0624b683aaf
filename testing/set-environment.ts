/** Sets variables of the environment for the rest of the test file. The service then reads its environment again. */
export function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  Object.assign(process.env, variables);
  Reflect.deleteProperty(globalThis, "environmentOfProcess");
}
