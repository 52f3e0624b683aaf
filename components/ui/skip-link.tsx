/** First stop of the Tab key: skips the header and the navigation. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2 focus:text-[13px] focus:font-medium focus:shadow-lift"
    >
      Skip to content
    </a>
  );
}
