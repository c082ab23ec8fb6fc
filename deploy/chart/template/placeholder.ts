/**
 * Expressions of a chart's templates within objects: code that builds an object handles them as usual values, and they
 * are unchanged until the object is written into a template.
 */

const open = '\u27e6'
const close = '\u27e7'

/** Returns a scalar for a Go template expression: `.Release.Name`. */
export const expression = (text: string): string => `${open}${text}${close}`

/** The same for a number. */
export const numberExpression = (text: string): number => expression(`${number}${text}`) as unknown as number

const number = '#'
const block = '='

/**
 * An expression with several lines of YAML as its result: the entries of a map, as one of its keys, or the items of a
 * list.
 */
export const blockExpression = (text: string): string => expression(`${block}${text}`)

export const isBlock = (text: string): boolean => text.startsWith(`${open}${block}`) && text.endsWith(close)

/** Returns the Go template expression of a block. */
export const blockText = (text: string): string => text.slice(2, -1)

/** Returns the Go template expression of a scalar or a number. */
export const expressionText = (value: string | number): string =>
  String(value).replaceAll(anywhere, '$1').replace(number, '')

/** Formats a value as JSON within a template; its expressions must be names. */
export const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll(anywhere, '{{ $1 }}')

const anywhere = new RegExp(`${open}([^${close}]*)${close}`, 'g')
const whole = new RegExp(`^${open}([^${open}]*)${close}$`)

/**
 * Formats a scalar as YAML for a template: expressions become actions, and literal braces stay text.
 *
 * @param isText true if the field accepts only strings, so that a number is quoted
 */
export const scalarText = (value: string | number | boolean | null, isText: boolean): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  const [, only] = whole.exec(value) ?? []
  if (only !== undefined) {
    if (!only.startsWith(number)) return `{{ ${only} | quote }}`
    return `{{ ${only.slice(1)}${isText ? ' | toString | quote' : ''} }}`
  }
  // YAML's double quotes are those of JSON; the actions within are names, which contain no quotes.
  if (isPlain(value)) return value
  const parts = value
    .split(anywhere)
    .map((part, index) => (index % 2 === 0 ? literal(part) : `{{ ${part} }}`))
  return `"${parts.join('')}"`
}

/** Returns true if YAML reads the text as a string without quotes. */
const isPlain = (value: string): boolean =>
  /^[A-Za-z/][\w./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)

/** Text within double quotes, with braces escaped so that they start no action. */
const literal = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\{\{|\}\}/g, braces => `{{ \`${braces}\` }}`)
