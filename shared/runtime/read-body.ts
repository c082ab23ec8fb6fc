import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock/clock.ts'

export type ReadBody =
  | { readonly kind: 'whole'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  /** The client stopped sending, or was too slow. */
  | { readonly kind: 'incomplete' }

export interface ReadBodyOptions {
  readonly limitBytes: number
  /** For the whole body: a client that sends a byte now and then does not hold the request for ever. */
  readonly timeoutMs: number
  readonly clock: Clock
}

/**
 * A body that is too large is read on and thrown away up to so many times the limit: answering while the client
 * still writes resets its connection before it has seen the answer, and it would send the same again.
 */
const discardFactor = 16

/** Reads a request's body. Never rejects. Keeps no more than the limit in memory. */
export const readBody = (
  request: IncomingMessage,
  { limitBytes, timeoutMs, clock }: ReadBodyOptions,
): Promise<ReadBody> =>
  new Promise(resolve => {
    let chunks: Uint8Array[] = []
    let length = 0
    const finish = (result: ReadBody): void => {
      cancel()
      request.off('data', onData)
      resolve(result)
    }
    const onData = (chunk: Uint8Array): void => {
      length += chunk.length
      if (length <= limitBytes) chunks.push(chunk)
      else chunks = []
      if (length > limitBytes * discardFactor) finish({ kind: 'too-large' })
    }
    const cancel = clock.after(timeoutMs, () => finish({ kind: 'incomplete' }))
    request.on('data', onData)
    request.once('end', () =>
      finish(length > limitBytes ? { kind: 'too-large' } : { kind: 'whole', body: Buffer.concat(chunks) }),
    )
    request.once('close', () => finish({ kind: 'incomplete' }))
    request.once('error', () => finish({ kind: 'incomplete' }))
  })
