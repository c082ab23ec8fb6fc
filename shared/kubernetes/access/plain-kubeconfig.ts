import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import type { Credentials } from './cluster-access.ts'

/** What the file says of one context. */
export interface PlainKubeconfig {
  readonly server: string
  /** Reads the files that it names, anew each time: others renew them. */
  readonly credentials: () => Promise<Credentials>
}

const named = z.looseObject({ name: z.string() })

const configSchema = z.looseObject({
  clusters: z.array(named),
  users: z.array(named),
  contexts: z.array(
    z.looseObject({
      name: z.string(),
      context: z.looseObject({ cluster: z.string(), user: z.string() }),
    }),
  ),
  'current-context': z.string().optional(),
})

/** Strict: a field that is not here (`proxy-url`) may mean that more is needed. */
const clusterSchema = z.strictObject({
  server: z.string(),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  extensions: z.unknown().optional(),
})

/** Strict: `exec`, `auth-provider`, `as`, `username` are left to client-node. */
const userSchema = z.strictObject({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
  extensions: z.unknown().optional(),
})

/**
 * Reads a kubeconfig whose user is known by a token or a certificate. undefined when it asks for more than that, or is
 * not to be understood: client-node then reads it, or says what is wrong. That takes 35 MB of a process and 100 ms,
 * which most kubeconfigs are not worth.
 */
export const readPlainKubeconfig = async (
  file: string,
  contextName?: string,
): Promise<PlainKubeconfig | undefined> => {
  const { parse } = await import('yaml')
  const config = configSchema.safeParse(parse(await readFile(file, 'utf8')))
  if (!config.success) return undefined
  const { clusters, users, contexts, 'current-context': current } = config.data
  const context = contexts.find(({ name }) => name === (contextName ?? current))?.context
  const cluster = clusterSchema.safeParse(clusters.find(({ name }) => name === context?.cluster)?.cluster)
  const user = userSchema.safeParse(users.find(({ name }) => name === context?.user)?.user ?? {})
  if (!cluster.success || !user.success) return undefined

  /** Inline data before the file of the same meaning, as kubectl. */
  const pem = async (data: string | undefined, path: string | undefined): Promise<string | undefined> => {
    if (data) return Buffer.from(data, 'base64').toString()
    return path ? readFile(resolve(dirname(file), path), 'utf8') : undefined
  }
  const { data: of } = cluster
  const { data: by } = user
  return {
    server: of.server,
    credentials: async () => {
      const [ca, cert, key, fromFile] = await Promise.all([
        pem(of['certificate-authority-data'], of['certificate-authority']),
        pem(by['client-certificate-data'], by['client-certificate']),
        pem(by['client-key-data'], by['client-key']),
        pem(undefined, by.tokenFile),
      ])
      const token = fromFile?.trim() || by.token
      return {
        headers: token ? { authorization: `Bearer ${token}` } : {},
        tls: {
          ...(ca && { ca }),
          ...(cert && { cert }),
          ...(key && { key }),
          ...(of['tls-server-name'] && { servername: of['tls-server-name'] }),
          ...(of['insecure-skip-tls-verify'] ? { rejectUnauthorized: false } : {}),
        },
      }
    },
  }
}
