/**
 * Splits a command line of a systemd unit into items. Items end at blanks and continued lines, except within quotes.
 * Quotes and backslashes are not changed.
 */
export const splitCommandLine = (line: string): readonly string[] => {
  const items: string[] = []
  let item = ''
  let quote = ''
  const end = () => {
    // A single backslash only continues the line.
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

/**
 * Joins items in the format of the Go extensions: the program and its first argument on one line, each other argument
 * on its own line.
 */
export const joinCommandLine = ([program = '', ...rest]: readonly string[]): string =>
  rest.length === 0 ? program : `${program} ${rest.join(' \\\n    ')}`

const isBlank = (character: string): boolean => /\s/.test(character)
