/**
 * Joins the class names that apply. Later names do not override earlier ones: a component passes only the names that
 * may be added.
 */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
