import { generate } from 'selfsigned'

/** A certificate with its key, in PEM. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** A certificate authority. */
export interface Authority extends Certificate {
  /** Issues a certificate of a client. `group`: its organization. */
  issue(client: { readonly name: string; readonly group?: string }): Promise<Certificate>
}

export const createAuthority = async (name: string): Promise<Authority> => {
  const authority = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  })
  return {
    certificate: authority.cert,
    key: authority.private,
    issue: async ({ name: commonName, group }) => {
      const { cert, private: key } = await generate(
        [
          { name: 'commonName', value: commonName },
          ...(group === undefined ? [] : [{ name: 'organizationName', value: group }]),
        ],
        {
          keyType: 'ec',
          algorithm: 'sha256',
          ca: { cert: authority.cert, key: authority.private },
          extensions: [{ name: 'extKeyUsage', clientAuth: true }],
        },
      )
      return { certificate: cert, key }
    },
  }
}
