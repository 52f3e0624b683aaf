/** Has the browser save what is at an address of this service, under the name that the answer gives it. */
export function startDownload(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
