import { readFile } from 'node:fs/promises'
import type { Agent, RequestOptions } from 'node:https'
import { dirname, resolve } from 'node:path'
import { KubeConfig, loadYaml } from '@kubernetes/client-node'
import type { Credentials } from './cluster-access.ts'

/** The address and credentials of one context. */
export interface Kubeconfig {
  readonly server: string
  /** Reads the files and runs the plugin of the kubeconfig on each call, because their content is renewed. */
  readonly credentials: () => Promise<Credentials>
}

/**
 * client-node's default URL without a kubeconfig. It is usually no API server but this process, which has its probes on
 * that port.
 */
const foundNothing = 'http://localhost:8080'

/**
 * Reads a kubeconfig with client-node. Only `kubeconfigAccess` imports this file, on demand: client-node takes 1.2 MB
 * of a bundle, and a start in a cluster does not need it (decision 0031).
 */
export const readKubeconfig = async (file: string | undefined, context?: string): Promise<Kubeconfig> => {
  const config = new KubeConfig()
  let text: string | undefined
  let tokenFiles: TokenFiles = new Map()
  if (file === undefined) config.loadFromDefault()
  else {
    text = await readFile(file, 'utf8')
    try {
      // As in kubectl, entries that the context does not use may be incomplete.
      config.loadFromString(text, { onInvalidEntry: 'filter' })
    } catch (error) {
      throw saysLine(error)
    }
    config.makePathsAbsolute(dirname(file))
    tokenFiles = tokenFilesIn(text, dirname(file))
  }
  if (file === undefined && config.getCurrentCluster()?.server === foundNothing) {
    throw new Error('found no kubeconfig: give one, set KUBECONFIG or create ~/.kube/config')
  }
  if (context !== undefined) config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  if (!cluster) {
    // Throws the error of an incomplete entry.
    if (text !== undefined) new KubeConfig().loadFromString(text)
    const current = config.getCurrentContext()
    const problem = current ? `no cluster for context ${current}` : 'it has no current-context'
    const contexts = config.getContexts().map(({ name }) => name)
    const others = contexts.length === 0 ? '' : `; its contexts are ${contexts.join(', ')}`
    throw new Error(`cannot read the kubeconfig${file === undefined ? '' : ` ${file}`}: ${problem}${others}`)
  }
  // Without a user, client-node also omits the CA of the cluster.
  const user = config.getCurrentUser() ?? { name: 'nobody' }
  const load = (): KubeConfig => {
    const own = new KubeConfig()
    own.loadFromClusterAndUser(
      {
        ...dataFirst(cluster, 'caData', 'caFile'),
        // client-node refuses http:// unless certificate checks are off. Without TLS there are no certificates.
        skipTLSVerify: cluster.skipTLSVerify || cluster.server.startsWith('http:'),
      },
      dataFirst(dataFirst(user, 'certData', 'certFile'), 'keyData', 'keyFile'),
    )
    return own
  }
  let own = load()
  let material: string | undefined
  const throughProxy = cluster.proxyUrl !== undefined
  const tokenFile = tokenFiles.get(user.name)
  return {
    server: cluster.server,
    credentials: async () => {
      let options = await optionsOf(own)
      // A KubeConfig retains the agent for its proxy, with the certificates of that time.
      if (throughProxy && material !== undefined && material !== materialOf(options)) {
        own = load()
        options = await optionsOf(own)
      }
      material = materialOf(options)
      const token = tokenFile === undefined ? '' : (await readFile(tokenFile, 'utf8')).trim()
      return credentialsOf(options, token, throughProxy)
    },
  }
}

const optionsOf = async (config: KubeConfig): Promise<RequestOptions> => {
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  return options
}

const materialOf = ({ ca, cert, key }: RequestOptions): string => JSON.stringify([ca, cert, key].map(pem))

/** The YAML parser reports the position as `(15:23)` before the surrounding lines. */
const saysLine = (error: unknown): unknown => {
  const { reason, mark } = error as { readonly reason?: string; readonly mark?: { readonly line: number } }
  return reason === undefined || mark === undefined
    ? error
    : new Error(`${reason} at line ${mark.line + 1}`, { cause: error })
}

/** As in kubectl, inline data overrides its file. */
const dataFirst = <T extends object>(entry: T, data: keyof T, file: keyof T): T =>
  entry[data] ? { ...entry, [file]: undefined } : entry

/** By user name. */
type TokenFiles = ReadonlyMap<string, string>

/** client-node supports `token-file` and reads it once; kubectl supports `tokenFile`, which is renewed. */
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

/** Converts client-node's options of a `node:https` request to credentials. */
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
