const character = String.fromCharCode

/** Characters with which a field could control a terminal: ESC, a C1 control, a change of direction, and new lines. */
export const hostile = `${character(27)}[41m${character(0x9b)}2J${character(0x202e)}\r\nFORGED line`

/**
 * Returns a copy of a value with the hostile text at the end of each string. @param except names of fields with a fixed
 * set of values
 */
export const planted = <T>(value: T, ...except: readonly string[]): T => {
  if (typeof value === 'string') return `${value}${hostile}` as T
  if (Array.isArray(value)) return value.map(entry => planted(entry, ...except)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      except.includes(key) ? field : planted(field, ...except),
    ]),
  ) as T
}

/** Returns what is wrong with an output: characters that a terminal acts on, and lines that a field has forged. */
export const harmIn = (output: string): readonly string[] => [
  // Our own colours.
  ...(output
    .replace(new RegExp(`${character(27)}\\[(?:[012]|22|3[1-69]|90)m`, 'g'), '')
    .match(/[\p{Cf}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/gu) ?? []),
  ...(output.match(/^\W*FORGED.*$/gm) ?? []),
]
