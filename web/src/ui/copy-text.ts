/** Puts a text on the clipboard, also on pages from plain addresses, where browsers have no clipboard to offer. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // In the dialog that is open, if any: outside of it nothing can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  return undefined;
}
