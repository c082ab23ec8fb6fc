/**
 * Expressions of a chart's templates within objects: whoever makes an object takes them for usual values, and they stay what
 * they are until the object is written into a template.
 */

const open = '\u27e6'
const close = '\u27e7'

/** A scalar by a Go template expression: `.Release.Name`. */
export const expression = (text: string): string => `${open}${text}${close}`

/** The same where a number is expected. */
export const numberExpression = (text: string): number => expression(`${number}${text}`) as unknown as number

const number = '#'
const block = '='

/** An expression whose result is YAML of several lines: entries of a map as a key of it, or items of a list. */
export const blockExpression = (text: string): string => expression(`${block}${text}`)

export const isBlock = (text: string): boolean => text.startsWith(`${open}${block}`) && text.endsWith(close)

/** The Go template expression of a block. */
export const blockText = (text: string): string => text.slice(2, -1)

/** The Go template expression of a scalar or a number. */
export const expressionText = (value: string | number): string =>
  String(value).replaceAll(anywhere, '$1').replace(number, '')

/** A value as JSON within a template, with its expressions, which are of names. */
export const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll(anywhere, '{{ $1 }}')

const anywhere = new RegExp(`${open}([^${close}]*)${close}`, 'g')
const whole = new RegExp(`^${open}([^${open}]*)${close}$`)

/**
 * A scalar as YAML for a template: expressions become actions, and braces that are text stay text.
 *
 * @param isText whether its place takes texts alone, so that a number is quoted
 */
export const scalarText = (value: string | number | boolean | null, isText: boolean): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  const [, only] = whole.exec(value) ?? []
  if (only !== undefined) {
    if (!only.startsWith(number)) return `{{ ${only} | quote }}`
    return `{{ ${only.slice(1)}${isText ? ' | toString | quote' : ''} }}`
  }
  // YAML's double quotes are those of JSON; the actions within are of names, which have no quotes of their own.
  if (isPlain(value)) return value
  const parts = value
    .split(anywhere)
    .map((part, index) => (index % 2 === 0 ? literal(part) : `{{ ${part} }}`))
  return `"${parts.join('')}"`
}

/** What YAML takes for a text without quotes. */
const isPlain = (value: string): boolean =>
  /^[A-Za-z/][\w./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)

/** Text within double quotes, in which no brace begins an action. */
const literal = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\{\{|\}\}/g, braces => `{{ \`${braces}\` }}`)
