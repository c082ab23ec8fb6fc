import { readFile } from 'node:fs/promises'
import type { Agent, RequestOptions } from 'node:https'
import { dirname, resolve } from 'node:path'
import { KubeConfig, loadYaml } from '@kubernetes/client-node'
import type { Credentials } from './cluster-access.ts'

/** What a kubeconfig says of one context. */
export interface Kubeconfig {
  readonly server: string
  /** Reads the files that it names and runs the plugin that it names, anew each time: others renew what they give. */
  readonly credentials: () => Promise<Credentials>
}

/**
 * Where client-node looks for an API server when it has found no kubeconfig. Whatever listens there is none: more often
 * it is the process itself, whose probes are on that port.
 */
const foundNothing = 'http://localhost:8080'

/**
 * Reads a kubeconfig by client-node. Only `kubeconfigAccess` imports this file, when it has a kubeconfig to read:
 * client-node takes 1.2 MB of a bundle, and a start in a cluster has no use for it (decision 0031).
 */
export const readKubeconfig = async (file: string | undefined, context?: string): Promise<Kubeconfig> => {
  const config = new KubeConfig()
  let text: string | undefined
  let tokenFiles: TokenFiles = new Map()
  if (file === undefined) config.loadFromDefault()
  else {
    text = await readFile(file, 'utf8')
    try {
      // As kubectl: what the context has no use for may be incomplete.
      config.loadFromString(text, { onInvalidEntry: 'filter' })
    } catch (error) {
      throw saysLine(error)
    }
    config.makePathsAbsolute(dirname(file))
    tokenFiles = tokenFilesIn(text, dirname(file))
  }
  if (file === undefined && config.getCurrentCluster()?.server === foundNothing) {
    throw new Error('no kubeconfig is named, and neither KUBECONFIG nor ~/.kube/config is there')
  }
  if (context !== undefined) config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  if (!cluster) {
    // Throws what is missing of an entry that is there.
    if (text !== undefined) new KubeConfig().loadFromString(text)
    const which = config.getCurrentContext() || 'of its own: it has no current-context'
    const contexts = config.getContexts().map(({ name }) => name)
    const others = contexts.length === 0 ? '' : `; its contexts are ${contexts.join(', ')}`
    throw new Error(
      `reading the kubeconfig${file === undefined ? '' : ` ${file}`}: no cluster for context ${which}${others}`,
    )
  }
  // Without a user client-node leaves out the CA of the cluster as well.
  const user = config.getCurrentUser() ?? { name: 'nobody' }
  config.loadFromClusterAndUser(
    {
      ...dataFirst(cluster, 'caData', 'caFile'),
      // client-node refuses http:// unless certificates go unchecked; without TLS there are none to check.
      skipTLSVerify: cluster.skipTLSVerify || cluster.server.startsWith('http:'),
    },
    dataFirst(dataFirst(user, 'certData', 'certFile'), 'keyData', 'keyFile'),
  )
  const tokenFile = tokenFiles.get(user.name)
  return {
    server: cluster.server,
    credentials: async () => {
      const options: RequestOptions = {}
      await config.applyToHTTPSOptions(options)
      const token = tokenFile === undefined ? '' : (await readFile(tokenFile, 'utf8')).trim()
      return credentialsOf(options, token, cluster.proxyUrl !== undefined)
    },
  }
}

/** What reads YAML says where it stopped as `(15:23)` in front of the lines around. */
const saysLine = (error: unknown): unknown => {
  const { reason, mark } = error as { readonly reason?: string; readonly mark?: { readonly line: number } }
  return reason === undefined || mark === undefined
    ? error
    : new Error(`${reason} at line ${mark.line + 1}`, { cause: error })
}

/** As kubectl: what stands in the kubeconfig counts before the file of the same meaning. */
const dataFirst = <T extends object>(entry: T, data: keyof T, file: keyof T): T =>
  entry[data] ? { ...entry, [file]: undefined } : entry

/** By the names of users. */
type TokenFiles = ReadonlyMap<string, string>

/** client-node knows `token-file` and reads it once; kubectl knows `tokenFile`, which others renew. */
const tokenFilesIn = (text: string, folder: string): TokenFiles => {
  const { users } = loadYaml<{ readonly users?: unknown }>(text)
  const named = Array.isArray(users) ? (users as readonly UserEntry[]) : []
  return new Map(
    named.flatMap(({ name, user }) =>
      name !== undefined && user?.tokenFile ? [[name, resolve(folder, user.tokenFile)]] : [],
    ),
  )
}

interface UserEntry {
  readonly name?: string
  readonly user?: { readonly tokenFile?: string } | null
}

const pem = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value)

/** What client-node puts into the options of a `node:https` request, as credentials. */
const credentialsOf = (options: RequestOptions, token: string, throughProxy: boolean): Credentials => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(options.headers ?? {}))
    headers[name.toLowerCase()] = String(value)
  if (options.auth) headers.authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`
  if (token) headers.authorization = `Bearer ${token}`
  const ca = pem(options.ca)
  const cert = pem(options.cert)
  const key = pem(options.key)
  return {
    headers,
    tls: {
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
      ...(options.servername && { servername: options.servername }),
      ...(options.rejectUnauthorized === undefined ? {} : { rejectUnauthorized: options.rejectUnauthorized }),
    },
    ...(throughProxy && options.agent ? { agent: options.agent as Agent } : {}),
  }
}
