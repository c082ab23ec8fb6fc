import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { isRecord, recordOf, recordsOf } from '../../decode/record-of.ts'
import { codeOf, messageOf } from '../../text/message-of.ts'
import { readYaml } from '../../text/read-yaml.ts'

/** The entries of one context. Paths are absolute, and a token file's content is not read yet. */
export interface LoadedContext {
  readonly cluster: KubeconfigEntry
  readonly user: KubeconfigEntry
}

/** An entry of `clusters` or `users`: its fields by the names of the file, such as `certificate-authority`. */
export interface KubeconfigEntry {
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Loads a context as kubectl does (client-go, tools/clientcmd/loader.go): a list of files as in `KUBECONFIG=a:b` is
 * merged, and the first file with an entry or a current context wins. Files of a list may be missing or empty. A path
 * is relative to the file that has it. Entries that the context does not use may be incomplete or wrong. client-node
 * differs in each of these: its last file wins.
 *
 * Returns undefined if no file is named and none is found. Errors never quote a file, because it contains credentials.
 *
 * @param named a path or a list of paths; default: `KUBECONFIG`, else `~/.kube/config`
 */
export const loadKubeconfig = async (
  named: string | undefined,
  context: string | undefined,
): Promise<LoadedContext | undefined> => {
  const given = named || process.env.KUBECONFIG || join(homedir(), '.kube', 'config')
  const paths = given.split(delimiter).filter(path => path !== '')
  const mayMiss = !named || paths.length > 1
  const files = (await Promise.all(paths.map(path => readOne(path, mayMiss)))).filter(
    file => file !== undefined,
  )
  if (files.length === 0) {
    if (!named && !process.env.KUBECONFIG) return undefined
    throw new Error(`cannot read the kubeconfig ${given}: no such file`)
  }
  const all = merge(files)
  const name = context ?? all.current
  const refuse = (problem: string): Error => {
    const names = [...all.contexts.keys()]
    const others = names.length === 0 ? '' : `; its contexts are ${names.join(', ')}`
    return new Error(`cannot read the kubeconfig ${given}: ${problem}${others}`)
  }
  if (name === undefined) throw refuse('it has no current-context')
  const used = all.contexts.get(name)
  if (used === undefined) throw refuse(`no cluster for context ${name}`)
  const cluster = all.clusters.get(String(used.cluster || ''))
  if (cluster === undefined) throw refuse(`no cluster for context ${name}`)
  if (typeof cluster.server !== 'string' || cluster.server === '')
    throw refuse(`cluster ${String(used.cluster)} of context ${name} has no server`)
  const user = all.users.get(String(used.user || ''))
  if (user === undefined && used.user) throw refuse(`no user ${String(used.user)} for context ${name}`)
  const server = serverOf(cluster.server, { ...cluster, ...user })
  if (server === undefined)
    throw refuse(
      `cluster ${String(used.cluster)} of context ${name} has a server that is no URL of http or https`,
    )
  return {
    cluster: { name: String(used.cluster), fields: { ...cluster, server } },
    user: { name: String(used.user || 'nobody'), fields: user ?? {} },
  }
}

const tlsFields = [
  'insecure-skip-tls-verify',
  ...['certificate-authority', 'client-certificate'].flatMap(file => [file, `${file}-data`]),
]

/**
 * Returns the URL of a server, or undefined if there is none. As in kubectl, `HOST:PORT` is one of https if the
 * kubeconfig has certificates, else of http (client-go, rest/url_utils.go).
 */
const serverOf = (server: string, fields: EntryFields): string | undefined => {
  const hasScheme = /^[a-z]+:\/\//i.test(server)
  const url = hasScheme ? server : `${tlsFields.some(name => fields[name]) ? 'https' : 'http'}://${server}`
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined
}

type EntryFields = Readonly<Record<string, unknown>>

interface ConfigFile {
  readonly current: string | undefined
  readonly clusters: ReadonlyMap<string, EntryFields>
  readonly users: ReadonlyMap<string, EntryFields>
  readonly contexts: ReadonlyMap<string, EntryFields>
}

const readOne = async (path: string, mayMiss: boolean): Promise<ConfigFile | undefined> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (mayMiss && codeOf(error) === 'ENOENT') return undefined
    throw new Error(`cannot read the kubeconfig ${path}: ${messageOf(error)}`, { cause: error })
  }
  const [document = { value: null }] = readYaml(text)
  const wrong = (problem: string) => new Error(`cannot read the kubeconfig ${path}: ${problem}`)
  if ('problem' in document) throw wrong(`not valid YAML (${document.problem})`)
  const value = document.value ?? {}
  if (!isRecord(value)) throw wrong('it is not a map')
  const folder = dirname(resolve(path))
  const entries = (list: string, field: string): ReadonlyMap<string, EntryFields> => {
    const found = new Map<string, EntryFields>()
    const listed = value[list] ?? []
    if (!Array.isArray(listed)) throw wrong(`${list} is not a list`)
    for (const { name, [field]: fields } of recordsOf(listed)) {
      const key = String(name ?? '')
      // kubectl refuses it, too: which of them counts is not defined.
      if (found.has(key)) throw wrong(`${list} has two entries with the name ${key}`)
      found.set(key, absolute(recordOf(fields), folder))
    }
    return found
  }
  const current = value['current-context']
  return {
    current: typeof current === 'string' && current !== '' ? current : undefined,
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
    contexts: entries('contexts', 'context'),
  }
}

const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']

/** As in client-go, a plugin's command is a path only if it contains a slash; else it is looked up in PATH. */
const absolute = (fields: EntryFields, folder: string): EntryFields => {
  const copy: Record<string, unknown> = { ...fields }
  for (const name of pathFields) {
    const path = fields[name]
    if (typeof path === 'string' && path !== '') copy[name] = resolve(folder, path)
  }
  const { command, ...exec } = recordOf(fields.exec)
  if (typeof command === 'string' && command.includes('/'))
    copy.exec = { ...exec, command: resolve(folder, command) }
  return copy
}

const merge = (files: readonly ConfigFile[]): ConfigFile => {
  const first = (list: 'clusters' | 'users' | 'contexts') =>
    new Map(files.toReversed().flatMap(file => [...file[list]]))
  return {
    current: files.find(({ current }) => current !== undefined)?.current,
    clusters: first('clusters'),
    users: first('users'),
    contexts: first('contexts'),
  }
}
