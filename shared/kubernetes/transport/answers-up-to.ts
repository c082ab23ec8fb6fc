import type { Transport } from './transport.ts'

/** A response above the limit. It is not retried, because the next response would be the same. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'
  constructor(most: number) {
    super(`the API server answered with more than ${most} bytes; the rest was not read`)
  }
}

/**
 * Limits the responses of a transport to a number of bytes. Use it for API servers that others write to, such as those
 * of shoots: their users decide the size of a list, and one process reads from all of them.
 */
export const answersUpTo =
  (most: number, transport: Transport): Transport =>
  async request => {
    const response = await transport(request)
    return { ...response, body: upTo(most, response.body) }
  }

async function* upTo(most: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw new AnswerTooLargeError(most)
    yield chunk
  }
}
