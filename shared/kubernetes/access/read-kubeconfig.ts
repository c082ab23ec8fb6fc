import { readFile } from 'node:fs/promises'
import type { Agent, RequestOptions } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'
import * as z from 'zod'
import type { Clock } from '../../clock/clock.ts'
import { messageOf } from '../../text/message-of.ts'
import { type Credentials, credentialsFrom } from './cluster-access.ts'
import { execPlugin, type PluginCredential } from './exec-plugin.ts'
import { type KubeconfigEntry, loadKubeconfig } from './load-kubeconfig.ts'

/** The address and credentials of one context. */
export interface Kubeconfig {
  readonly server: string
  /** The name of the user in the file. */
  readonly user: string
  /**
   * Reads the files on each call, because their content is renewed. `refused`: the server did not accept the last
   * credentials, so a plugin runs again.
   */
  readonly credentials: (refused?: boolean) => Promise<Credentials>
  /** Ends a running plugin. */
  readonly close: () => void
}

/**
 * Reads a kubeconfig; client-node applies what is not inline: files, passwords, OIDC and proxies. Only
 * `kubeconfigAccess` imports this file, on demand: client-node takes 1.2 MB of a bundle, and a start in a cluster does
 * not need it (decision 0031).
 *
 * @param file a path or a list of paths. Default: as in kubectl. Returns undefined if it is absent and none is found.
 */
export const readKubeconfig = async (
  file: string | undefined,
  context: string | undefined,
  clock: Pick<Clock, 'now' | 'after'>,
): Promise<Kubeconfig | undefined> => {
  const loaded = await loadKubeconfig(file, context)
  if (loaded === undefined) return undefined
  const { cluster, user } = loaded
  const server = String(cluster.fields.server).replace(/\/$/, '')
  const inline = inlineCredentials(cluster.fields, user.fields)
  if (inline !== undefined)
    return { server, user: user.name, credentials: async () => inline, close: () => {} }
  const closed = new AbortController()
  const plugin = user.fields.exec ? execPlugin({ user, cluster, clock, signal: closed.signal }) : undefined
  const acting = impersonation(user)
  const throughProxy = Boolean(cluster.fields['proxy-url'])
  const load = () => configOf(cluster, user)
  let own = await load()
  let material: string | undefined
  return {
    server,
    user: user.name,
    close: () => closed.abort(),
    credentials: async refused => {
      const issued = await plugin?.(refused === true)
      let options = await optionsOf(own, issued).catch(unreadable)
      // A KubeConfig retains the agent for its proxy, with the certificates of that time.
      if (throughProxy && material !== undefined && material !== materialOf(options)) {
        own = await load()
        options = await optionsOf(own, issued)
      }
      material = materialOf(options)
      const { tokenFile } = user.fields
      const token =
        typeof tokenFile === 'string' && tokenFile
          ? (await readFile(tokenFile, 'utf8').catch(unreadable)).trim()
          : ''
      const { headers, ...rest } = credentialsOf(options, token || issued?.token, throughProxy)
      return { headers: { ...headers, ...acting }, ...rest }
    },
  }
}

/** Throws an error with that of the system, which names the file. */
const unreadable = (error: unknown): never => {
  throw new Error(`cannot read the credentials of the kubeconfig: ${messageOf(error)}`, { cause: error })
}

const inlineFields = {
  cluster: new Set(['server', 'certificate-authority-data', 'tls-server-name']),
  user: new Set(['token', 'client-certificate-data', 'client-key-data']),
}

/**
 * Returns the credentials of fields that need no file, program or proxy; undefined for others. Without client-node,
 * which takes half of the CPU of a short command.
 */
const inlineCredentials = (
  cluster: KubeconfigEntry['fields'],
  user: KubeconfigEntry['fields'],
): Credentials | undefined => {
  const areInline = (fields: KubeconfigEntry['fields'], known: ReadonlySet<string>) =>
    Object.entries(fields).every(([name, value]) => typeof value === 'string' && known.has(name))
  const { 'insecure-skip-tls-verify': unchecked, ...ofCluster } = cluster
  // Without TLS there is no certificate to check.
  if (unchecked === true && !String(cluster.server).startsWith('http:')) return undefined
  if (!areInline(ofCluster, inlineFields.cluster) || !areInline(user, inlineFields.user)) return undefined
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const decoded = (value: unknown) => Buffer.from(textOf(value), 'base64').toString()
  return credentialsFrom({
    ca: decoded(cluster['certificate-authority-data']),
    servername: textOf(cluster['tls-server-name']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
    token: textOf(user.token),
  })
}

/** The fields that client-node does not handle as kubectl does. */
const ownFields = ['exec', 'tokenFile', 'token-file', 'as', 'as-uid', 'as-groups', 'as-user-extra']

const configOf = async (cluster: KubeconfigEntry, user: KubeconfigEntry): Promise<KubeConfig> => {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const { server, 'insecure-skip-tls-verify': unchecked } = cluster.fields
  const name = 'used'
  const ofCluster = {
    ...dataFirst(cluster.fields, 'certificate-authority'),
    // client-node refuses http:// unless certificate checks are off. Without TLS there are no certificates.
    'insecure-skip-tls-verify': unchecked === true || String(server).startsWith('http:'),
  }
  const ofUser = dataFirst(dataFirst(user.fields, 'client-certificate'), 'client-key')
  const config = new KubeConfig()
  config.loadFromString(
    JSON.stringify({
      clusters: [{ name, cluster: ofCluster }],
      users: [
        { name, user: { ...ofUser, ...Object.fromEntries(ownFields.map(field => [field, undefined])) } },
      ],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    }),
  )
  return config
}

/** As in kubectl, inline data overrides its file. */
const dataFirst = (fields: KubeconfigEntry['fields'], file: string): KubeconfigEntry['fields'] =>
  fields[`${file}-data`] ? { ...fields, [file]: undefined } : fields

/** With the plugin's certificate, which an agent for a proxy needs, too. */
const optionsOf = async (
  config: KubeConfig,
  issued: PluginCredential | undefined,
): Promise<RequestOptions> => {
  const options: RequestOptions = {}
  if (issued?.cert) {
    const user = config.getCurrentUser()
    const base64 = (text = '') => Buffer.from(text).toString('base64')
    if (user !== null) Object.assign(user, { certData: base64(issued.cert), keyData: base64(issued.key) })
  }
  await config.applyToHTTPSOptions(options)
  return options
}

const materialOf = ({ ca, cert, key }: RequestOptions): string => JSON.stringify([ca, cert, key].map(pem))

const pem = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value)

/** Converts client-node's options of a `node:https` request to credentials. */
const credentialsOf = (
  options: RequestOptions,
  token: string | undefined,
  throughProxy: boolean,
): Credentials => {
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

const schema = z.object({
  as: z.string().nullish(),
  'as-uid': z.string().nullish(),
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
})

/**
 * Returns the headers that act as another user
 * (https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/). A header with several values is sent
 * several times.
 */
const impersonation = ({ name, fields }: KubeconfigEntry): Readonly<Record<string, string | string[]>> => {
  const { data, error } = schema.safeParse(fields)
  if (error !== undefined) throw new Error(`user ${name} has an invalid ${error.issues[0]?.path.join('.')}`)
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = data
  const others = {
    ...(uid && { 'impersonate-uid': uid }),
    ...(groups?.length && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra ?? {}).map(([key, values]) => [`impersonate-extra-${escaped(key)}`, values]),
    ),
  }
  if (as) return { 'impersonate-user': as, ...others }
  if (Object.keys(others).length === 0) return {}
  throw new Error(`user ${name} has as-uid, as-groups or as-user-extra without as: name the user to act as`)
}

/** Percent-encodes what no header's name may contain (RFC 9110, section 5.6.2), and `%`. */
const escaped = (key: string): string =>
  [...Buffer.from(key)]
    .map(byte => String.fromCharCode(byte))
    .map(character =>
      /[!#$&'*+.^_`|~\w-]/.test(character)
        ? character
        : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
