import { connect } from 'node:net'

/** Connects to the sink and closes the connection; rejects if that fails within the time (ms). Sends nothing. */
export const reachSink = (sink: string, limitMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port, protocol } = new URL(sink)
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      timeout: limitMs,
    })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => socket.destroy(new Error(`no connection in ${limitMs / 1000} s`)))
    socket.once('error', reject)
  })
