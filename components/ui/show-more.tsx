import { Button } from "./button.tsx";

/** Footer of a list with further pages; renders nothing on the last page. */
export function ShowMore({
  list,
  children,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
  children: string;
}) {
  if (!list.hasNextPage) return null;
  return (
    <div className="p-3 text-center">
      <Button size="sm" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}
