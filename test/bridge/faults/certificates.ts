import { generate } from 'selfsigned'

/** A certificate with its key, PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** An authority that signs certificates. */
export interface Authority {
  /** What to trust, PEM. */
  readonly ca: string
  /** A certificate of a server at 127.0.0.1. */
  serving(): Promise<Identity>
  /** A certificate of a client. */
  client(): Promise<Identity>
}

export const makeAuthority = async (): Promise<Authority> => {
  // Names differ, as those of a cluster's authorities do when they are renewed.
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
