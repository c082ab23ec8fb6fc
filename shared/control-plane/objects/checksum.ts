import { createHash } from 'node:crypto'

/**
 * Returns the checksum of the `data` of a Secret (values in base64) or a ConfigMap, as the Go extension writes it into
 * annotations of pods (docs/contract/control-plane.md#checksums): SHA-256 in hex. For a missing Secret: of `{}`.
 */
export const checksum = (data: Readonly<Record<string, string>>): string => {
  const sorted = Object.fromEntries(Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1)))
  return createHash('sha256').update(goJson(sorted)).digest('hex')
}

/** Go's encoder escapes characters with another meaning in HTML or old JavaScript. */
const goJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
