import type { Dataset } from "#lib/contract/datasets";
import type { Roles } from "./column-roles.tsx";

export const noRoles: Roles = { target: "", timestamp: [], exclude: [], categories: [] };

/** What the columns of a file were in the dataset that it replaces, as far as it has them. */
export function rolesAsBefore(former: Dataset, header: readonly string[]): Roles {
  const present = former.columns.filter(({ name }) => header.includes(name));
  const names = (columns: Dataset["columns"]) => columns.map(({ name }) => name);
  return {
    target: header.includes(former.target) ? former.target : "",
    timestamp: (former.timestamp ?? []).filter((name) => header.includes(name)),
    exclude: names(present.filter(({ role }) => role === "excluded")),
    // Numbers that were read as categories would be numbers again otherwise.
    categories: names(present.filter(({ role, type }) => role === "input" && type === "category")),
  };
}
