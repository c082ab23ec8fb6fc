export interface ChangelogSection {
  /** `1.2.3`, or `Unreleased`. */
  readonly name: string
  /** `2026-11-28`. Absent: not released. */
  readonly date?: string
  /** The lines below the heading, without blank lines around them. */
  readonly text: string
}

/** The kinds of changes of https://keepachangelog.com/en/1.1.0/, in its sequence. */
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

const heading = /^## \[([^\]]+)\](?: - (\S+))?$/

/** Returns the sections of a changelog, newest first. */
export const changelogSections = (text: string): readonly ChangelogSection[] =>
  text.split(/^(?=## )/m).flatMap(part => {
    const [first = '', ...lines] = part.split('\n')
    const [, name, date] = heading.exec(first) ?? []
    if (name === undefined) return []
    return [{ name, text: lines.join('\n').trim(), ...(date !== undefined && { date }) }]
  })

/** Returns the changelog with the section Unreleased as that of a version, below a new empty one. */
export const withRelease = (text: string, version: string, date: string): string =>
  text.replace(/^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${date}`)

/** Returns a line for each violation of the form. */
export const changelogProblems = (text: string): readonly string[] => {
  const headings = text.split('\n').filter(line => line.startsWith('## '))
  const sections = changelogSections(text)
  const [first, ...released] = sections
  return [
    ...headings
      .filter(line => !heading.test(line))
      .map(line => `${line}: expected ## [1.2.3] - 2026-01-31, or ## [Unreleased]`),
    ...(first?.name === 'Unreleased' ? [] : ['the first section is not ## [Unreleased]']),
    ...released.flatMap((section, index) => releaseProblems(section, released[index + 1])),
    ...sections.flatMap(kindProblems),
  ]
}

const releaseProblems = (
  { name, date, text }: ChangelogSection,
  older: ChangelogSection | undefined,
): readonly string[] => [
  ...(isVersion(name) ? [] : [`[${name}] is not a semantic version`]),
  ...(isDate(date) ? [] : [`[${name}] has no date such as 2026-01-31`]),
  ...(text === '' ? [`[${name}] has no changes`] : []),
  ...(older !== undefined && compareVersions(name, older.name) <= 0
    ? [`[${name}] is above [${older.name}], but not newer`]
    : []),
  ...(older?.date !== undefined && date !== undefined && date < older.date
    ? [`[${name}] is above [${older.name}], but has an earlier date`]
    : []),
]

const kindProblems = ({ name, text }: ChangelogSection): readonly string[] => {
  const found = [...text.matchAll(/^### (.*)$/gm)].map(([, kind = '']) => kind)
  const order = found.map(kind => kinds.indexOf(kind))
  const unknown = found.filter(kind => !kinds.includes(kind))
  const isSorted = order.every((place, index) => index === 0 || place > (order[index - 1] ?? 0))
  const [before = ''] = text.split(/^### /m)
  return [
    ...unknown.map(kind => `[${name}] has the unknown part ${kind}: expected ${kinds.join(', ')}`),
    ...(unknown.length > 0 || isSorted
      ? []
      : [`[${name}] has its parts in another sequence than ${kinds.join(', ')}`]),
    ...(/^- /m.test(before) ? [`[${name}] has a change outside of ${kinds.join(', ')}`] : []),
  ]
}

/** https://semver.org/spec/v2.0.0.html, without build metadata: a tag of an image has no plus sign. */
export const isVersion = (text: string): boolean =>
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?$/.test(
    text,
  )

const isDate = (text = ''): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true

/** Negative if `a` is older. A prerelease is older than its release (https://semver.org/#spec-item-11). */
const compareVersions = (a: string, b: string): number => {
  const [mainA = '', preA] = a.split(/-(.*)/s)
  const [mainB = '', preB] = b.split(/-(.*)/s)
  const byMain = mainA.localeCompare(mainB, 'en', { numeric: true })
  if (byMain !== 0 || preA === preB) return byMain
  if (preA === undefined) return 1
  if (preB === undefined) return -1
  return preA.localeCompare(preB, 'en', { numeric: true })
}
