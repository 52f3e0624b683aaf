import { RecipeText } from "./scenario-facts.tsx";
import type { ScenarioStart } from "./scenario-start.ts";

/** Describes the input of a run on another checkpoint. */
export function ReplayedInput({ start: { base, adjustments, opened } }: { start: ScenarioStart }) {
  if (adjustments.length === 0) {
    return <p className="text-[13px] text-ink-soft">The input of “{opened.title}”, as it is.</p>;
  }
  return (
    <div className="text-[13px] text-ink-soft">
      <p>
        The input of “{base.title}”, with the steps of “{opened.title}”:
      </p>
      <RecipeText steps={adjustments} />
    </div>
  );
}
