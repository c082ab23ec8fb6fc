import * as z from 'zod'
import { recordOf, recordsOf, stringOf } from '../../decode/record-of.ts'
import { type ClusterAccess, credentialsFrom } from './cluster-access.ts'

const base64Text = z.base64().transform(text => Buffer.from(text, 'base64').toString())

/** The schemas refuse fields that read a file, run a program, or disable certificate checks. */
const contextSchema = z.object({ cluster: z.string(), user: z.string() })
const clusterSchema = z
  .strictObject({
    server: z.url({ protocol: /^https?$/ }),
    'certificate-authority-data': base64Text.optional(),
    'tls-server-name': z.string().optional(),
    'insecure-skip-tls-verify': z.boolean().optional(),
  })
  // Without TLS there is no certificate to check.
  .refine(cluster => !cluster['insecure-skip-tls-verify'] || cluster.server.startsWith('http:'), {
    path: ['insecure-skip-tls-verify'],
  })
const userSchema = z.strictObject({
  token: z.string().optional(),
  // The token's path in a pod; the file is not read.
  tokenFile: z.string().optional(),
  'client-certificate-data': base64Text.optional(),
  'client-key-data': base64Text.optional(),
})

/** Reads the named entry of a list. Others are not used, and may be incomplete. */
const entryOf = <T>(value: unknown, list: string, field: string, name: string, schema: z.ZodType<T>): T => {
  const entries = recordsOf(recordOf(value)[list])
  const index = entries.findIndex(entry => entry.name === name)
  if (index === -1) throw new Error('the kubeconfig has no cluster or no user for its current context')
  const { data, error } = schema.safeParse(entries[index]?.[field])
  if (error === undefined) return data
  const fields = error.issues.map(({ path, ...issue }) =>
    [list, index, field, ...path, ...('keys' in issue ? [issue.keys.join(', ')] : [])].join('.'),
  )
  throw new Error(`cannot use the kubeconfig: unsupported fields ${fields.join('; ')}`)
}

/**
 * Access with a self-contained kubeconfig, as in Secrets: certificates or a token. Its author may not be trusted, so
 * one that names a file, a program or a proxy is refused. Does not load client-node, which reads all of these.
 *
 * Rejects with the name of the wrong field, never with a value.
 *
 * @param token replaces the kubeconfig's token file; required if it names one
 */
export const inlineKubeconfigAccess = async (text: string, token?: string): Promise<ClusterAccess> => {
  const { parse } = await import('yaml')
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 0 })
  } catch {
    throw new Error('the kubeconfig is not valid YAML')
  }
  const current = stringOf(recordOf(value)['current-context'])
  const named = entryOf(value, 'contexts', 'context', current, contextSchema)
  const cluster = entryOf(value, 'clusters', 'cluster', named.cluster, clusterSchema)
  const user = entryOf(value, 'users', 'user', named.user, userSchema)
  if (user.tokenFile !== undefined && token === undefined)
    throw new Error('cannot use the kubeconfig: unsupported field users.0.user.tokenFile')
  const credentials = credentialsFrom({
    ca: cluster['certificate-authority-data'],
    servername: cluster['tls-server-name'],
    cert: user['client-certificate-data'],
    key: user['client-key-data'],
    token: token ?? user.token,
  })
  return { server: cluster.server, credentials: async () => credentials }
}
