import { getCACertificates } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import { readTrustBundle } from './trust-bundle.ts'

export interface SinkAgentOptions {
  readonly connections: number
  /** Certificates (PEM) to trust besides the public ones. */
  readonly caCerts: string | undefined
  /** A file or folder with more of them. */
  readonly caFile: string
}

/**
 * The connections to the sink. What is trusted is read anew for every connection that is made, so that a renewed
 * authority is known at once and no restart is needed.
 */
export const createSinkAgent = ({ connections, caCerts, caFile }: SinkAgentOptions): Agent => {
  const plain = buildConnector({ allowH2: false })
  let present: { readonly bundle: string; readonly connect: buildConnector.connector } | undefined

  const connectorFor = (added: readonly string[]): buildConnector.connector => {
    if (added.length === 0) return plain
    const bundle = added.join('\n')
    if (present?.bundle !== bundle) {
      const ca = [...getCACertificates('default'), ...added]
      // A connector keeps TLS sessions for itself: one per bundle.
      present = { bundle, connect: buildConnector({ allowH2: false, ca }) }
    }
    return present.connect
  }

  return new Agent({
    connections,
    pipelining: 1,
    connect: (options, callback) => {
      if (options.protocol !== 'https:') return plain(options, callback)
      readTrustBundle(caFile).then(
        fromFiles =>
          connectorFor(caCerts === undefined ? fromFiles : [caCerts, ...fromFiles])(options, callback),
        error => callback(error, null),
      )
    },
  })
}
