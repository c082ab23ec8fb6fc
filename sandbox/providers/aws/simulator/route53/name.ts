/**
 * Domain names as Route 53 handles them ("DNS domain name format", Developer Guide): compared in lower case, returned
 * with a trailing dot, and with every character except a-z, 0-9, - and _ as an octal escape (`*` becomes `\052`).
 */
export interface DomainName {
  /** The form of Route 53's responses: `\052.example.com.` */
  readonly text: string
  /** The labels in written order, lower case, without escapes. */
  readonly labels: readonly string[]
}

/** The problem with a name, in Route 53's words: `DomainLabelEmpty (Domain label is empty)`. */
export interface NameProblem {
  readonly problem: string
  readonly reason: string
  /** The invalid part. */
  readonly subject: string
}

const plain = /[a-z0-9_-]/

const escapeLabel = (label: string): string =>
  Array.from(Buffer.from(label, 'latin1'), byte => {
    const character = String.fromCharCode(byte)
    return plain.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`
  }).join('')

/** Splits at unescaped dots. Non-ASCII characters become their UTF-8 bytes. */
const labelsOf = (name: string): string[] => {
  const bytes = Buffer.from(name, 'utf8').toString('latin1')
  const labels: string[] = ['']
  const add = (character: string) => {
    labels[labels.length - 1] += character
  }
  for (let index = 0; index < bytes.length; index++) {
    const character = bytes.charAt(index)
    const octal = /^[0-3][0-7]{2}/.exec(bytes.slice(index + 1))?.[0]
    if (character === '.') labels.push('')
    else if (character === '\\' && octal !== undefined) {
      add(String.fromCharCode(Number.parseInt(octal, 8)))
      index += 3
    } else add(character)
  }
  return labels.map(label => label.replace(/[A-Z]/g, letter => letter.toLowerCase()))
}

/**
 * Parses a name as clients write it: with or without trailing dot, in any case, with or without escapes. The problems
 * are those of RFC 1035: empty labels, labels over 63 and names over 255 octets.
 */
export const parseName = (name: string): DomainName | NameProblem => {
  if (name === '') return { problem: 'DomainNameEmpty', reason: 'Domain name is empty', subject: name }
  const labels = labelsOf(name.endsWith('.') && !name.endsWith('\\.') ? name.slice(0, -1) : name)
  const problem = (kind: string, reason: string, subject = name) => ({ problem: kind, reason, subject })
  if (labels.some(label => label === '')) return problem('DomainLabelEmpty', 'Domain label is empty')
  const long = labels.find(label => label.length > 63)
  if (long !== undefined) return problem('DomainLabelTooLong', 'Domain label is too long', escapeLabel(long))
  if (labels.join('.').length + 2 > 255) return problem('DomainNameTooLong', 'Domain name is too long')
  return { labels, text: `${labels.map(escapeLabel).join('.')}.` }
}

export const isProblem = (name: DomainName | NameProblem): name is NameProblem => 'problem' in name

/** `FATAL problem: DomainLabelEmpty (Domain label is empty) encountered with 'a..b'`. */
export const fatal = ({ problem, reason, subject }: NameProblem): string =>
  `FATAL problem: ${problem} (${reason}) encountered with '${subject}'`

/** Returns the form of Route 53's responses, or the unchanged text if it is not a name. */
export const canonicalName = (name: string): string => {
  const parsed = parseName(name)
  return isProblem(parsed) ? name : parsed.text
}

/** Returns true if the name is the zone or below it. Both are in canonical form. */
export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`)

/**
 * Returns Route 53's sort key for names: labels reversed with a trailing dot (`com.example.www.`), compared as ASCII
 * ("ListResourceRecordSets", API reference).
 */
export const sortKey = (name: string): string => `${labelsOf(name.replace(/\.$/, '')).reverse().join('.')}.`
