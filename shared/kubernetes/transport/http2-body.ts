import http2 from 'node:http2'

/** Bytes that wait to be read before the server is asked to slow down. */
const mostWaiting = 512 * 1024

/**
 * The body of an answer. Listens from the start: Node takes an unread stream that the server has closed for broken, and
 * its end for the end of what came, even where it was broken off. Iterate it once; leaving early ends the request.
 * `fail` says what an answer that broke off ends with.
 */
export const http2Body = (
  stream: http2.ClientHttp2Stream,
  fail: () => unknown,
): AsyncIterable<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let waiting = 0
  let over = false
  let isWhole = false
  let wake: () => void = () => undefined

  stream.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk)
    waiting += chunk.length
    if (waiting > mostWaiting) stream.pause()
    wake()
  })
  stream.once('end', () => {
    over = true
    // 0 or, while its closing is not settled, none yet; a reset has its code by now.
    isWhole = !stream.rstCode
    wake()
  })
  stream.once('close', () => {
    over = true
    wake()
  })

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = chunks.shift()
        if (chunk !== undefined) {
          waiting -= chunk.length
          if (waiting < mostWaiting / 2 && stream.isPaused()) stream.resume()
          yield chunk
        } else if (over) {
          if (!isWhole) throw fail()
          return
        } else {
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      }
    } finally {
      if (!over) stream.close(http2.constants.NGHTTP2_CANCEL)
    }
  }
  return read()
}
