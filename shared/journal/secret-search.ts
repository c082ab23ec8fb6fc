import { isRecord } from '../decode/record-of.ts'
import { secretTexts, shortestSecret } from '../lifecycle/lifecycle.ts'
import { createTextSearch, replaceParts } from '../text/text-search.ts'

/** Removes known secrets from values before they are written. */
export interface SecretSearch {
  /** Returns true if a text contains a secret, in its plain form or in one that JSON, URLs or base64 give it. */
  isIn(text: string): boolean
  /** Returns the value with each secret replaced by `[redacted]`. */
  redact<T>(value: T): T
}

/** Creates a search for the values of Secrets. Values below 12 characters are not secrets, but names and regions. */
export const searchSecrets = (values: Iterable<string> = []): SecretSearch => {
  const search = createTextSearch<'[redacted]'>(shortestSecret)
  for (const value of values) {
    const forms = [...secretTexts(value), Buffer.from(value).toString('base64')]
    for (const form of forms) {
      search.add(form, '[redacted]')
      // As a part of a text in JSON, such as in an annotation.
      search.add(JSON.stringify(form).slice(1, -1), '[redacted]')
    }
  }
  const clean = (text: string): string => replaceParts(text, search.partsOf(text), placeholder => placeholder)

  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(redact)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), redact(inner)]))
  }
  return { isIn: text => search.partsOf(text).length > 0, redact: <T>(value: T): T => redact(value) as T }
}
