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

/** Returns the unit with each value of an option changed. */
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
