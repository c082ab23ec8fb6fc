import type { Transport } from './transport.ts'

/** An answer that its reader stopped reading. Asking again would get the same, so no request is repeated after it. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'
  constructor(most: number) {
    super(`the API server answered with more than ${most} bytes; the rest was not read`)
  }
}

/**
 * The same transport, whose answers have at most so many bytes. For API servers of others, such as those of shoots: whoever writes
 * into one decides how much a list of it has, and one process reads from all of them.
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
