import http2 from 'node:http2'
import tls from 'node:tls'
import type { Clock } from '../../clock/clock.ts'
import type { TlsMaterial } from '../access/cluster-access.ts'

/** Most bytes of one answer on their way, and of all answers of a connection together. */
const streamWindow = 1024 * 1024
const connectionWindow = 16 * 1024 * 1024
const connectLimitMs = 10_000
/** As client-go's: a connection is asked for a sign of life this often, and given up without one. */
const pingEveryMs = 30_000
const pingLimitMs = 15_000

/** Connects and agrees on HTTP/2. Resolves with undefined when the server speaks HTTP/1.1 only. */
export const openHttp2Session = async (
  origin: URL,
  material: TlsMaterial,
  clock: Clock,
): Promise<http2.ClientHttp2Session | undefined> => {
  const socket = await connect(origin, material, clock)
  if (socket.alpnProtocol !== 'h2') {
    socket.destroy()
    return undefined
  }
  const session = http2.connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: streamWindow },
    // In MB; several lists at once may well have more on their way than the 10 of the default.
    maxSessionMemory: 64,
  })
  session.setLocalWindowSize(connectionWindow)
  // Failures come out of the requests, too.
  session.on('error', () => undefined)
  keepAlive(session, clock)
  return session
}

const connect = (origin: URL, material: TlsMaterial, clock: Clock): Promise<tls.TLSSocket> =>
  new Promise((resolve, reject) => {
    const host = origin.hostname.replace(/^\[|\]$/g, '')
    const socket = tls.connect({
      host,
      port: Number(origin.port || 443),
      // A name for the certificate; an address is none.
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      ...material,
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    const disarm = clock.after(connectLimitMs, () => {
      socket.destroy(new Error(`no connection in ${connectLimitMs / 1000} s`))
    })
    socket.once('secureConnect', () => {
      disarm()
      socket.off('error', fail)
      resolve(socket)
    })
    const fail = (error: Error) => {
      disarm()
      reject(error)
    }
    socket.once('error', fail)
    socket.setNoDelay(true)
  })

/** Ends a connection whose other end has gone without a word: its watches would stay silent for a long time. */
const keepAlive = (session: http2.ClientHttp2Session, clock: Clock): void => {
  let disarm: () => void = () => undefined
  const ping = () => {
    // It says that it is closed some time after it is destroyed; pinging it until then throws.
    if (session.destroyed) return
    let answered = false
    disarm = clock.after(pingLimitMs, () => {
      // After a pause of this process the answer may lie here unread: first let it come in.
      setImmediate(() => {
        if (!answered && !session.destroyed) session.destroy(new Error('the server no longer answers'))
      })
    })
    const sent = session.ping(() => {
      answered = true
      disarm()
      if (!session.destroyed) disarm = clock.after(pingEveryMs, ping)
    })
    if (!sent) disarm()
  }
  disarm = clock.after(pingEveryMs, ping)
  session.once('close', () => disarm())
}
