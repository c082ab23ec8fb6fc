import { isRecord, valueAt } from '../../../decode/record-of.ts'

/** The values of a Secret, and its name for problems. */
export interface SecretValues {
  /** `Secret garden-a/credentials` */
  readonly whose: string
  /** The keys, sorted. */
  readonly keys: readonly string[]
  /** Returns the decoded value of a key. Undefined: the Secret does not have the key. */
  readonly textAt: (key: string) => string | undefined
}

export const secretValuesIn = (secret: unknown): SecretValues => {
  const data = valueAt(secret, 'data')
  const values = isRecord(data) ? data : {}
  const named = (field: string) => String(valueAt(secret, 'metadata', field) ?? '')
  return {
    whose: `Secret ${named('namespace')}/${named('name')}`,
    keys: Object.keys(values).toSorted(),
    textAt: key => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined
      return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined
    },
  }
}
