import http from 'node:http'
import https from 'node:https'
import { Duplex } from 'node:stream'
import { getCACertificates } from 'node:tls'
import { readTrustBundle } from './trust-bundle.ts'

export interface SinkAgentOptions {
  /** Where events go. */
  readonly sink: string
  /** Connections that stay open without a request. How many there are is up to who sends. */
  readonly idleConnections: number
  /** Certificates (PEM) to trust besides the public ones. */
  readonly caCerts: string | undefined
  /** A file or folder with more of them. */
  readonly caFile: string
}

/** After so long without a word the system asks the peer whether it is still there, and gives up 10 s later. */
const keepAliveMs = 15_000

/**
 * The connections to the sink. What is trusted is read anew for every connection that is made, so that a renewed
 * authority is known at once and no restart is needed.
 */
export const createSinkAgent = ({ sink, idleConnections, caCerts, caFile }: SinkAgentOptions): http.Agent => {
  const options: http.AgentOptions = {
    keepAlive: true,
    keepAliveMsecs: keepAliveMs,
    maxFreeSockets: idleConnections,
    scheduling: 'lifo',
  }
  if (!sink.startsWith('https:')) return new http.Agent(options)
  const agent = new https.Agent(options)
  const connect = agent.createConnection.bind(agent)

  const trust = async () => {
    const fromFiles = await readTrustBundle(caFile)
    const added = caCerts === undefined ? fromFiles : [caCerts, ...fromFiles]
    return added.length === 0 ? {} : { ca: [...getCACertificates('default'), ...added] }
  }
  agent.createConnection = (options, callback) => {
    trust()
      .then(trusted => {
        const socket = connect({ ...options, ...trusted })
        if (socket) callback?.(null, socket)
      })
      // The types want a socket even then; nobody looks at it.
      .catch((error: Error) => callback?.(error, new Duplex()))
    return undefined
  }
  return agent
}
