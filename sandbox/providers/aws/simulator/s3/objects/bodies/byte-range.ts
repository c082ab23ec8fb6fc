export interface ByteRange {
  readonly first: number
  /** Inclusive. */
  readonly last: number
}

/**
 * Returns the range of a `Range` header; undefined for the whole object. S3 ignores invalid headers and multiple ranges
 * ("GetObject", API reference).
 *
 * @throws AwsError InvalidRange
 */
export const checkRange = (header: string | undefined, size: number): ByteRange | undefined => {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return { first, last }
}
