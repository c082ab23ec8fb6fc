/** A line of a section, in order. An option may occur several times. Its value may have several lines, as written. */
export type UnitEntry =
  | { readonly kind: 'option'; readonly section: string; readonly name: string; readonly value: string }
  | { readonly kind: 'comment'; readonly section: string; readonly text: string }

/**
 * Parses a systemd unit (systemd.syntax(7)) with line breaks of any system. Throws an Error that names the invalid
 * line.
 */
export const parseUnit = (text: string): readonly UnitEntry[] => {
  const entries: UnitEntry[] = []
  const lines = text.split(/\r?\n/)
  let section: string | undefined
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]?.trim() ?? ''
    if (line === '') continue
    if (/^[#;]/.test(line)) {
      entries.push({ kind: 'comment', section: section ?? '', text: line })
      continue
    }
    if (line.startsWith('[') && line.endsWith(']')) {
      section = line.slice(1, -1)
      continue
    }
    const equals = line.indexOf('=')
    if (section === undefined || equals < 1)
      throw new Error(`line ${index + 1} is neither a section nor an option of a section`)
    const first = index
    while (lines[index]?.endsWith('\\') && index < lines.length - 1) index++
    const value = [line.slice(equals + 1).trimStart(), ...lines.slice(first + 1, index + 1)].join('\n')
    entries.push({ kind: 'option', section, name: line.slice(0, equals).trimEnd(), value: value.trimEnd() })
  }
  return entries
}

/** Formats a unit like Go's library: each section once, with an empty line between sections. */
export const formatUnit = (entries: readonly UnitEntry[]): string =>
  [...Map.groupBy(entries, ({ section }) => section)]
    .map(([section, lines]) => {
      const texts = lines.map(entry =>
        entry.kind === 'comment' ? `${entry.text}\n` : `${entry.name}=${entry.value}\n`,
      )
      return [...(section === '' ? [] : [`[${section}]\n`]), ...texts].join('')
    })
    .join('\n')

/** Returns the values of an option, in order. */
export const optionValues = (
  entries: readonly UnitEntry[],
  section: string,
  name: string,
): readonly string[] => entries.flatMap(entry => (isOption(entry, section, name) ? [entry.value] : []))

export const changeOption = (
  entries: readonly UnitEntry[],
  section: string,
  name: string,
  change: (value: string) => string,
): readonly UnitEntry[] =>
  entries.map(entry => (isOption(entry, section, name) ? { ...entry, value: change(entry.value) } : entry))

/** Returns the unit with this option. Appends it to its section if it is missing. */
export const ensureOption = (
  entries: readonly UnitEntry[],
  section: string,
  name: string,
  value: string,
): readonly UnitEntry[] =>
  optionValues(entries, section, name).includes(value)
    ? entries
    : [...entries, { kind: 'option', section, name, value }]

const isOption = (
  entry: UnitEntry,
  section: string,
  name: string,
): entry is Extract<UnitEntry, { readonly kind: 'option' }> =>
  entry.kind === 'option' && entry.section === section && entry.name === name

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

/** A desired kernel parameter. */
export interface Sysctl {
  /** `net.ipv4.neigh.default.gc_thresh1` */
  readonly name: string
  readonly value: string
  /** The reason, as comment lines above an added parameter. */
  readonly comments: readonly string[]
}

/**
 * Sets a parameter in the text of a sysctl.d(5) file: in every line that sets it, or at the end. Ignores comment lines.
 */
export const setSysctl = (text: string, { name, value, comments }: Sysctl): string => {
  const setting = `${name} = ${value}`
  let isThere = false
  const lines = text.split('\n').map(line => {
    const equals = line.indexOf('=')
    if (equals === -1 || line.slice(0, equals).trim() !== name) return line
    isThere = true
    return line.endsWith('\r') ? `${setting}\r` : setting
  })
  if (isThere) return lines.join('\n')
  return [text, ...comments.map(comment => `# ${comment}`), setting].join('\n')
}
