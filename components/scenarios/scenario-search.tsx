import { Input } from "#components/ui/input.tsx";
import { limits } from "#lib/contract/limits";

/** Field for words to search scenarios by. */
export function ScenarioSearch({
  value,
  onChange,
  className,
}: {
  value: string;
  onChange(value: string): void;
  className: string;
}) {
  return (
    <Input
      type="search"
      aria-label="Search scenarios"
      placeholder="Search titles, notes and tags"
      maxLength={limits.searchMax}
      className={className}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
