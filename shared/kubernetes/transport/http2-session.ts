import http2 from 'node:http2'
import tls from 'node:tls'
import type { Clock } from '../../clock/clock.ts'
import type { TlsMaterial } from '../access/cluster-access.ts'

/** Maximum bytes in transit of one response, and of all responses of a connection. */
const streamWindow = 1024 * 1024
const connectionWindow = 16 * 1024 * 1024
const connectLimitMs = 10_000
/** The interval of pings on a connection and the timeout of their answers, as in client-go. */
const pingEveryMs = 30_000
const pingLimitMs = 15_000

/** Connects with HTTP/2. Resolves with undefined if the server supports only HTTP/1.1. */
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
    // In MB. Concurrent lists may need more than the default of 10.
    maxSessionMemory: 64,
  })
  session.setLocalWindowSize(connectionWindow)
  // The requests report these errors, too.
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
      // The name in the server's certificate; not for an address.
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

/** Closes a connection to a silently lost server. Its watches would otherwise be silent for a long time. */
const keepAlive = (session: http2.ClientHttp2Session, clock: Clock): void => {
  let disarm: () => void = () => undefined
  const ping = () => {
    // The close event follows some time after the destruction; a ping in between throws.
    if (session.destroyed) return
    let answered = false
    disarm = clock.after(pingLimitMs, () => {
      // After a pause of this process the answer may be unread: reads it first.
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
