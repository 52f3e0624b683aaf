"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose page is fetched ahead once it is pointed at or has the focus. Next.js' own fetches ahead whatever it
 * shows: some twenty requests a page, which the server answers before those of the page that one looks at.
 */
export function Link({ onPointerEnter, onFocus, ...props }: ComponentProps<typeof NextLink>) {
  const [isMeant, setMeant] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={isMeant ? null : false}
      onPointerEnter={(event) => {
        setMeant(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setMeant(true);
        onFocus?.(event);
      }}
    />
  );
}
