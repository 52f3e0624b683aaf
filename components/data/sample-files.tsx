/** Offers a sample dataset, and a scenario input that fits it. */
export function SampleFiles() {
  const link = "rounded-sm text-accent underline";
  return (
    <p className="text-[13px] text-ink-soft">
      Sample files:{" "}
      <a href="/samples/campus-energy-simulated.csv" download className={link}>
        training data
      </a>
      ,{" "}
      <a href="/samples/term-from-11-january.csv" download className={link}>
        scenario input
      </a>
    </p>
  );
}
