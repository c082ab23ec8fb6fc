import { generate } from 'selfsigned'

/** A certificate with its key, in PEM format. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** An authority that signs certificates. */
export interface Authority {
  /** The CA certificate to trust, in PEM format. */
  readonly ca: string
  /** Issues a certificate for a server at 127.0.0.1. */
  serving(): Promise<Identity>
  /** Issues a client certificate. */
  client(): Promise<Identity>
}

export const makeAuthority = async (): Promise<Authority> => {
  // The names differ, as those of renewed cluster authorities do.
  const authority = await generate([{ name: 'commonName', value: `authority-${crypto.randomUUID()}` }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  })
  const sign = async (commonName: string, usage: 'serverAuth' | 'clientAuth'): Promise<Identity> => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
      keyType: 'ec',
      algorithm: 'sha256',
      ca: { key: authority.private, cert: authority.cert },
      extensions: [
        { name: 'extKeyUsage', [usage]: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
      ],
    })
    return { cert, key }
  }
  return {
    ca: authority.cert,
    serving: () => sign('api-server', 'serverAuth'),
    client: () => sign('bridge', 'clientAuth'),
  }
}
