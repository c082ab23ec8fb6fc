import http2 from 'node:http2'

/** Unread bytes before the server must slow down. */
const mostWaiting = 512 * 1024

/**
 * The body of a response. Listens from the start: Node treats an unread stream that the server closed as broken, and a
 * broken one as complete. Iterate it once; leaving early ends the request. `fail` returns the error of a truncated
 * response.
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
    // The code is 0, or undefined while the stream is closing. A reset already has its code.
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
