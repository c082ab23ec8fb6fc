/**
 * Returns true if an output is coloured: never with NO_COLOR (no-color.org), always with FORCE_COLOR, else on a
 * terminal with colours.
 */
export const isColored = (
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean => {
  if (NO_COLOR) return false
  if (FORCE_COLOR) return !/^(?:0|false)$/.test(FORCE_COLOR)
  return isTTY === true && TERM !== 'dumb'
}
