import type { AuditChange } from "#lib/contract/audit";
import { limits } from "#lib/contract/limits";

/** Fields of an entity: values, lists of values, and objects of these. */
type Fields = { readonly [field: string]: unknown };

/** Characters of a shortened text before its first difference. */
const leadLength = 40;

/**
 * Returns the fields that differ, for the audit log. Compares only fields of `after`; a field that `before` lacks was
 * null. Do not pass secrets.
 *
 * @example changesBetween({ title: "A" }, { title: "B" }) // [{ field: "title", from: "A", to: "B" }]
 */
export function changesBetween(before: Fields, after: Fields): AuditChange[] {
  return Object.keys(after)
    .flatMap((name) => changesOf(valuesOf({ [name]: before[name] }), valuesOf({ [name]: after[name] })))
    .slice(0, limits.auditedChanges)
    .map(shortened);
}

type Values = [field: string, value: AuditChange["to"]][];

function changesOf(before: Values, after: Values): AuditChange[] {
  const [former, latter] = [new Map(before), new Map(after)];
  return [...new Set([...former.keys(), ...latter.keys()])]
    .map((field) => ({ field, from: former.get(field) ?? null, to: latter.get(field) ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** Returns the values of fields. The name of a field within another contains both: `display.demand.unit`. */
function valuesOf(fields: Fields, within = ""): Values {
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = `${within}${name}`;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      return [[field, value]];
    }
    if (value instanceof Date) return [[field, value.toISOString()]];
    if (Array.isArray(value)) return value.length > 0 ? [[field, value.join(", ")]] : [];
    return typeof value === "object" && value !== null ? valuesOf(value as Fields, `${field}.`) : [];
  });
}

function shortened({ field, from, to }: AuditChange): AuditChange {
  const [before, after] = [from, to].map((value) => (typeof value === "string" ? [...value] : []));
  const same = before!.findIndex((character, index) => character !== after![index]);
  const start = Math.max(0, (same < 0 ? before!.length : same) - leadLength);
  const cut = (value: AuditChange["to"]) => {
    if (typeof value !== "string") return value;
    const all = [...value];
    if (all.length <= limits.auditedText) return value;
    const part = all.slice(start, start + limits.auditedText);
    return `${start > 0 ? "…" : ""}${part.join("")}${start + part.length < all.length ? "…" : ""}`;
  };
  return { field, from: cut(from), to: cut(to) };
}
