import type { ScenarioOverride } from "#lib/contract/overrides";

/** Returns the fields of an override for the audit log. */
export function auditedOverride({ id, from, to, operation, value, reason, where }: ScenarioOverride) {
  const conditions = (where ?? []).map((one) => `${one.feature} ${one.operator} ${one.value}`);
  // The log shows the first fields, and the others on request.
  return { override: { from, to, operation, value, reason, where: conditions, id } };
}
