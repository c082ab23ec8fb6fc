import { refuse } from '../../../service.ts'

const incomplete = () => refuse('IncompleteBody', 'The request body terminated unexpectedly', { status: 400 })

export interface Unchunked {
  readonly data: Uint8Array
  /** Names in lower case. */
  readonly trailers: Readonly<Record<string, string>>
}

const lineEnd = (body: Buffer, from: number): number => {
  const end = body.indexOf('\r\n', from)
  if (end < 0) throw incomplete()
  return end
}

const trailersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(/\r?\n/)
      .filter(line => line.includes(':'))
      .map(line => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
      }),
  )

/**
 * Decodes a body with content encoding `aws-chunked`: `<hex size>[;chunk-signature=…]`, the bytes, and after the chunk
 * of size 0 the trailing headers ("Signature calculations for trailing headers", S3 API reference). The signatures of
 * the chunks are not checked.
 *
 * @throws AwsError IncompleteBody
 */
export const unchunk = (bytes: Uint8Array): Unchunked => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Buffer[] = []
  let position = 0
  for (;;) {
    const end = lineEnd(body, position)
    const size = /^([0-9a-f]{1,8})(?:;.*)?$/i.exec(body.toString('latin1', position, end))?.[1]
    if (size === undefined) throw incomplete()
    const length = Number.parseInt(size, 16)
    position = end + 2
    if (length === 0)
      return { data: Buffer.concat(chunks), trailers: trailersOf(body.toString('utf8', position)) }
    if (position + length + 2 > body.length) throw incomplete()
    chunks.push(body.subarray(position, position + length))
    position += length + 2
  }
}
