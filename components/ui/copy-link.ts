import { toast } from "sonner";

/**
 * Copies a link, and reports it.
 *
 * @param opens what the link opens: "the same view"
 */
export async function copyLink(address: string, opens: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(address, location.href).href);
    toast.success(`Link copied. The link opens ${opens}.`);
  } catch {
    toast.error("The browser did not allow copying. Copy the URL from the address bar.");
  }
}
