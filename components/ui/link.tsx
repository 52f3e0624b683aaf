"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * Link that prefetches its page on hover or focus. Next.js prefetches every visible link: about twenty requests per
 * page, which the server would answer before those of the open page.
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
