type Changed<Values, Optional extends keyof Values> = Partial<Omit<Values, Optional>> & {
  [Name in Optional]?: Values[Name] | null;
};

/**
 * Returns the changed fields as the body of a request.
 *
 * @param optional fields whose empty text is sent as `null`
 */
export function pickChanged<Values extends object, Optional extends keyof Values>(
  { values, changed }: { values: Values; changed: readonly string[] },
  optional: readonly Optional[],
): Changed<Values, Optional> {
  const entries = Object.entries(values).filter(([name]) => changed.includes(name));
  const isEmpty = (name: string, value: unknown) =>
    optional.includes(name as Optional) && String(value ?? "").trim() === "";
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isEmpty(name, value) ? null : value]),
  ) as Changed<Values, Optional>;
}
