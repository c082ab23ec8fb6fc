import * as z from 'zod'
import type { ClusterAccess, Credentials } from './cluster-access.ts'

const base64Text = z.base64().transform(text => Buffer.from(text, 'base64').toString())

/** The schema refuses fields that read a file, run a program, or disable certificate checks. */
const kubeconfigSchema = z.object({
  'current-context': z.string(),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z
        .strictObject({
          server: z.url({ protocol: /^https?$/ }),
          'certificate-authority-data': base64Text.optional(),
          'tls-server-name': z.string().optional(),
          'insecure-skip-tls-verify': z.boolean().optional(),
        })
        // Without TLS there is no certificate to check.
        .refine(cluster => !cluster['insecure-skip-tls-verify'] || cluster.server.startsWith('http:'), {
          path: ['insecure-skip-tls-verify'],
        }),
    }),
  ),
  users: z.array(
    z.object({
      name: z.string(),
      user: z.strictObject({
        token: z.string().optional(),
        // The token's path in a pod; the file is not read.
        tokenFile: z.string().optional(),
        'client-certificate-data': base64Text.optional(),
        'client-key-data': base64Text.optional(),
      }),
    }),
  ),
})

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
  const { data, error } = kubeconfigSchema.safeParse(value)
  if (error !== undefined) {
    const fields = error.issues.map(({ path, ...issue }) =>
      [...path, ...('keys' in issue ? [issue.keys.join(', ')] : [])].join('.'),
    )
    throw new Error(`cannot use the kubeconfig: unsupported fields ${fields.join('; ')}`)
  }
  const named = data.contexts.find(({ name }) => name === data['current-context'])?.context
  const cluster = data.clusters.find(({ name }) => name === named?.cluster)?.cluster
  const user = data.users.find(({ name }) => name === named?.user)?.user
  if (cluster === undefined || user === undefined)
    throw new Error('the kubeconfig has no cluster or no user for its current context')
  if (user.tokenFile !== undefined && token === undefined)
    throw new Error('cannot use the kubeconfig: unsupported field users.0.user.tokenFile')
  const ca = cluster['certificate-authority-data']
  const servername = cluster['tls-server-name']
  const cert = user['client-certificate-data']
  const key = user['client-key-data']
  const bearer = token ?? user.token
  const credentials: Credentials = {
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    tls: { ...(ca && { ca }), ...(servername && { servername }), ...(cert && { cert }), ...(key && { key }) },
  }
  return { server: cluster.server, credentials: async () => credentials }
}
