/** Quotes a word of a command to copy, unless a shell would leave it as it is. */
export const inShell = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
