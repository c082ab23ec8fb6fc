/** Maximum characters of arguments in a report. */
export const mostOfArgs = 512

/**
 * Maximum characters that are written before secrets are removed. Longer than a secret of one line, so that the cut at
 * `mostOfArgs` never leaves the beginning of one.
 */
const mostBefore = 8 * 1024

/** Fields that may hold credentials, user data or contents. Their values are never written. */
const deniedField =
  /secret|password|passphrase|privatekey|credential|authorization|userdata|assertion|externalid|customerkey|plaintext|keymaterial|^(?:body|payload|content|data|token|sessiontoken|webidentitytoken|accesskeyid|signature)$/i

const maxLevels = 12

/**
 * Returns the arguments of a call as JSON that may be cut, without values of fields that may hold secrets. Reads only
 * as much as is written. Never throws. Remove known secrets from the result, then cut it to `mostOfArgs`.
 */
export const callArgs = (args: unknown): string | undefined => {
  if (args === undefined || args === null) return undefined
  const parts: string[] = []
  let left = mostBefore
  const add = (text: string): void => {
    parts.push(text.length > left ? text.slice(0, left) : text)
    left -= text.length
  }
  const write = (value: unknown, levels: number): void => {
    if (left <= 0) return
    if (typeof value === 'string') add(JSON.stringify(value.length > left ? value.slice(0, left) : value))
    else if (typeof value !== 'object' || value === null) add(plain(value))
    else if (levels === 0 || ArrayBuffer.isView(value) || isStream(value)) add('"…"')
    else if (value instanceof Date) add(JSON.stringify(value))
    else if (Array.isArray(value)) {
      add('[')
      for (let index = 0; index < value.length && left > 0; index++) {
        if (index > 0) add(',')
        write(value[index], levels - 1)
      }
      add(']')
    } else {
      let separator = '{'
      for (const name in value) {
        if (left <= 0) return
        const inner = (value as Readonly<Record<string, unknown>>)[name]
        if (inner === undefined || typeof inner === 'function') continue
        add(`${separator}${JSON.stringify(name)}:`)
        separator = ','
        if (deniedField.test(name)) add('"[left out]"')
        else write(inner, levels - 1)
      }
      add(separator === '{' ? '{}' : '}')
    }
  }
  try {
    write(args, maxLevels)
    return parts.join('')
  } catch {
    // A getter of an author's object threw.
    return undefined
  }
}

const plain = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : '"…"'

const isStream = (value: object): boolean => 'pipe' in value || 'getReader' in value || 'byteLength' in value
