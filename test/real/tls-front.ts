import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { generate } from 'selfsigned'

export interface TlsFront {
  readonly port: number
  /** The certificate that clients have to trust. */
  readonly ca: string
  readonly close: () => Promise<void>
}

/** Starts TLS in front of a local port: pods reach the API server by https only. */
export const startTlsFront = async (port: number): Promise<TlsFront> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'bench' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    curve: 'P-256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  // No delay, as in API servers (Go sets TCP_NODELAY). Otherwise the first answer of a connection waits 40 ms for the
  // client to acknowledge the session tickets before it.
  const server = createServer({ cert, key, noDelay: true }, secure => {
    const plain = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const [one, other] of [
      [secure, plain],
      [plain, secure],
    ] as const) {
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    ca: cert,
    close: async () => {
      server.close()
    },
  }
}
