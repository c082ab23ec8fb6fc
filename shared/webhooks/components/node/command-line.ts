/**
 * The items of a command line of a systemd unit: they end at blanks and continued lines, except within quotes. Quotes and
 * backslashes stay as they are written.
 */
export const splitCommandLine = (line: string): readonly string[] => {
  const items: string[] = []
  let item = ''
  let quote = ''
  const end = () => {
    // A backslash by itself only continued a line.
    if (item !== '' && item !== '\\') items.push(item)
    item = ''
  }
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index)
    const next = line.charAt(index + 1)
    if (character === '\\' && next !== '' && (quote !== '' || !isBlank(next))) {
      item += character + next
      index++
    } else if (quote !== '') {
      item += character
      if (character === quote) quote = ''
    } else if (isBlank(character)) end()
    else if (character === '\\') end()
    else {
      item += character
      if (character === '"' || character === "'") quote = character
    }
  }
  end()
  return items
}

/** The form that the Go extensions write: the program with its first argument, and each other argument in a line of its own. */
export const joinCommandLine = ([program = '', ...rest]: readonly string[]): string =>
  rest.length === 0 ? program : `${program} ${rest.join(' \\\n    ')}`

const isBlank = (character: string): boolean => /\s/.test(character)
