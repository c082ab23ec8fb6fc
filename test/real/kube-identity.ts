import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { stringify } from 'yaml'
import type { ClusterAccess, Credentials } from '../../shared/kubernetes/kubernetes.ts'

/** The identity of the API server, and its accepted credentials. */
export interface KubeIdentity {
  /** Paths for kube-apiserver's flags. */
  readonly files: Readonly<Record<'certificate' | 'key' | 'tokens' | 'serviceAccountKey', string>>
  /** Access as a member of `system:masters`, by token and over TLS. */
  accessTo(server: string): ClusterAccess
  /** Returns a kubeconfig. The token defaults to the administrator's. */
  kubeconfigFor(server: string, token?: string): string
}

/** Names of the server for Pods: see `ServerNetwork`. */
const insideNames = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc']

/** Creates keys, a certificate and a token, in files of `folder`. The certificate is for 127.0.0.1 and `more`. */
export const makeKubeIdentity = async (
  folder: string,
  more: readonly string[] = [],
): Promise<KubeIdentity> => {
  const administrator = randomBytes(24).toString('base64url')
  const serving = await generate([{ name: 'commonName', value: 'kube-apiserver' }], {
    keyType: 'ec',
    extensions: [
      // Self-signed.
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...['127.0.0.1', ...more].map(ip => ({ type: 7 as const, ip })),
          ...insideNames.map(value => ({ type: 2 as const, value })),
        ],
      },
    ],
  })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const write = async (name: string, content: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, content, { mode: 0o600 })
    return path
  }
  const credentials: Credentials = {
    headers: { authorization: `Bearer ${administrator}` },
    tls: { ca: serving.cert },
  }
  return {
    files: {
      certificate: await write('serving.crt', serving.cert),
      key: await write('serving.key', serving.private),
      tokens: await write('tokens.csv', `${administrator},trellis,trellis,"system:masters"\n`),
      // kube-apiserver reads the public key from SEC 1, not from PKCS 8.
      serviceAccountKey: await write(
        'service-account.key',
        privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
      ),
    },
    accessTo: server => ({ server, credentials: async () => credentials }),
    kubeconfigFor: (server, token = administrator) => kubeconfigText(server, { token }, serving.cert),
  }
}

/**
 * Returns a kubeconfig for a server with this certificate, at any address. `user`: the credentials, with the fields of a
 * kubeconfig.
 */
export const kubeconfigText = (server: string, user: object, certificate: string): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'real',
        cluster: {
          ...{ server, 'tls-server-name': insideNames[0] },
          'certificate-authority-data': Buffer.from(certificate).toString('base64'),
        },
      },
    ],
    users: [{ name: 'real', user }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'real' } }],
    'current-context': 'real',
  })
