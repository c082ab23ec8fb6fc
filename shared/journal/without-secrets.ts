import { isRecord } from '../decode/record-of.ts'
import { redactTexts, secretTexts } from '../lifecycle/lifecycle.ts'

/** Removes known secrets from values before they are written. */
export interface SecretSearch {
  /** Adds the value of a Secret. Values below 12 characters are not secrets, but names and regions. */
  add(value: string): void
  /** Returns true if a text contains a secret, in its plain form or in one that JSON, URLs or base64 give it. */
  isIn(text: string): boolean
  /** Returns the value with each secret replaced by `[redacted]`. */
  redact<T>(value: T): T
}

/** As in `redactTexts`. */
const shortestSecret = 12

export const searchSecrets = (values: Iterable<string> = []): SecretSearch => {
  const texts = new Set<string>()
  const add = (value: string): void => {
    const forms = [...secretTexts(value), Buffer.from(value).toString('base64')]
    for (const form of forms) {
      if (form.length < shortestSecret) continue
      texts.add(form)
      // As a part of a text in JSON, such as in an annotation.
      texts.add(JSON.stringify(form).slice(1, -1))
    }
  }
  for (const value of values) add(value)

  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return redactTexts(value, [...texts])
    if (Array.isArray(value)) return value.map(redact)
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [redactTexts(name, [...texts]), redact(inner)]),
    )
  }
  return {
    add,
    isIn: text => {
      for (const secret of texts) if (text.includes(secret)) return true
      return false
    },
    redact: <T>(value: T): T => redact(value) as T,
  }
}
