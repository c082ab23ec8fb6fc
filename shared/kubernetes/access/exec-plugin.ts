import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import * as z from 'zod'
import type { Clock } from '../../clock/clock.ts'
import { parsedJson } from '../../decode/record-of.ts'
import { codeOf, messageOf } from '../../text/message-of.ts'
import type { KubeconfigEntry } from './load-kubeconfig.ts'

const execSchema = z.object({
  apiVersion: z.enum(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string().min(1), value: z.string() })).nullish(),
  installHint: z.string().nullish(),
  provideClusterInfo: z.boolean().nullish(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).nullish(),
})
type Exec = z.output<typeof execSchema>

const answerSchema = z.object({
  kind: z.literal('ExecCredential'),
  apiVersion: z.string(),
  status: z.object({
    token: z.string().nullish(),
    clientCertificateData: z.string().nullish(),
    clientKeyData: z.string().nullish(),
    expirationTimestamp: z.string().nullish(),
  }),
})

export interface PluginCredential {
  readonly token?: string
  readonly cert?: string
  readonly key?: string
}

/** Returns the plugin's credential. `renewed`: runs the plugin even if the last one has not expired. */
export type Plugin = (renewed: boolean) => Promise<PluginCredential>

export interface PluginOptions {
  readonly user: KubeconfigEntry
  readonly cluster: KubeconfigEntry
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** Ends a running plugin. */
  readonly signal?: AbortSignal
  /** Default: the standard input of the process, if it is a terminal. */
  readonly isTerminal?: boolean
  /** Receives what the plugin writes to its standard error. Default: that of the process. */
  readonly say?: (text: Uint8Array) => void
}

/** More is no credential, in characters. */
const mostOutput = 1024 * 1024
/** The time limit of a plugin, in ms. A login in a browser takes minutes. */
const longestRunMs = 300_000
/** After a failure, the rest of the output is read for this time, in ms. A process left behind may hold it open. */
const outputMs = 1_000
/** The end of its standard error that an error quotes, in characters. */
const mostSaid = 1_000

/**
 * The plugin of a user's `exec` (client-go credential plugins,
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins): it gets the
 * cluster in `KUBERNETES_EXEC_INFO` if it asks, may prompt on a terminal, and its answer is used until it expires or
 * the server refuses it. client-node's has neither.
 */
export const execPlugin = ({
  user,
  cluster,
  clock,
  signal,
  isTerminal = process.stdin.isTTY === true,
  say = text => process.stderr.write(text),
}: PluginOptions): Plugin => {
  const { data: exec, error } = execSchema.safeParse(user.fields.exec)
  if (error !== undefined) {
    const [issue] = error.issues
    throw new Error(`user ${user.name} has an invalid exec: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const interactive = isTerminal && exec.interactiveMode !== 'Never'
  if (exec.interactiveMode === 'Always' && !interactive)
    throw new Error(
      `the plugin ${exec.command} of user ${user.name} needs a terminal (interactiveMode: Always). Use a kubeconfig with a token or a certificate`,
    )
  let last: { readonly credential: PluginCredential; readonly until: number } | undefined
  return async renewed => {
    if (last !== undefined && !renewed && clock.now() < last.until) return last.credential
    last = undefined
    const info = JSON.stringify({
      kind: 'ExecCredential',
      apiVersion: exec.apiVersion,
      spec: { interactive, ...(exec.provideClusterInfo && { cluster: await clusterInfo(cluster) }) },
    })
    const { status } = answerOf(await run(exec, { info, interactive, say, clock, signal }), exec)
    const until = Date.parse(status.expirationTimestamp ?? '')
    last = {
      until: Number.isNaN(until) ? Number.POSITIVE_INFINITY : until,
      credential: {
        ...(status.token && { token: status.token }),
        ...(status.clientCertificateData && { cert: status.clientCertificateData }),
        ...(status.clientKeyData && { key: status.clientKeyData }),
      },
    }
    return last.credential
  }
}

/** The cluster as `ExecCredential.spec.cluster`. A CA in a file becomes data. */
const clusterInfo = async ({ fields }: KubeconfigEntry): Promise<object> => {
  const { extensions, 'certificate-authority': file, 'certificate-authority-data': data } = fields
  const ca =
    data || (typeof file === 'string' && file ? (await readFile(file)).toString('base64') : undefined)
  const named: readonly { readonly name?: unknown; readonly extension?: unknown }[] = Array.isArray(
    extensions,
  )
    ? extensions
    : []
  const config = named.find(one => one?.name === 'client.authentication.k8s.io/exec')?.extension
  const copied = ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'proxy-url', 'disable-compression']
  return {
    ...Object.fromEntries(copied.flatMap(name => (fields[name] ? [[name, fields[name]]] : []))),
    ...(ca !== undefined && { 'certificate-authority-data': ca }),
    ...(config !== undefined && { config }),
  }
}

interface PluginRun extends Pick<PluginOptions, 'clock'>, Required<Pick<PluginOptions, 'say'>> {
  readonly info: string
  readonly interactive: boolean
  readonly signal: AbortSignal | undefined
}

const run = (exec: Exec, { info, interactive, say, clock, signal }: PluginRun): Promise<string> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]))
    const child = spawn(exec.command, exec.args ?? [], {
      env: { ...process.env, ...own, KUBERNETES_EXEC_INFO: info },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    })
    const { stdout, stderr } = child
    let output = ''
    let said = ''
    /** Children of the plugin may still have its output. */
    const end = (problem: string) => {
      const about = said.trim() === '' ? '' : `: ${said.trim()}`
      reject(new Error(`the kubeconfig's plugin ${exec.command} ${problem}${about}`))
      child.kill('SIGKILL')
      stdout.destroy()
      stderr.destroy()
      release()
    }
    const disarm = clock.after(longestRunMs, () =>
      end(`printed no credential in ${longestRunMs / 1_000} s, and was ended`),
    )
    const abort = () => end('was ended with this program')
    const release = () => {
      disarm()
      signal?.removeEventListener('abort', abort)
    }
    signal?.addEventListener('abort', abort, { once: true })
    stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > mostOutput) end(`printed more than ${mostOutput} characters, and was ended`)
    })
    stderr.on('data', (text: Buffer) => {
      // At once, because it may be a prompt.
      say(text)
      said = (said + text.toString('utf8')).slice(-mostSaid)
    })
    child.once('error', error => {
      release()
      const hint = exec.installHint ? `. ${exec.installHint.trim()}` : ''
      const why = codeOf(error) === 'ENOENT' ? 'there is no such program' : messageOf(error)
      reject(new Error(`cannot run the kubeconfig's plugin ${exec.command}: ${why}${hint}`, { cause: error }))
    })
    // A process that the plugin leaves behind, such as a cache of tokens, may hold its standard error open.
    stdout.once('end', () => {
      const succeed = () => {
        if (child.exitCode !== 0) return
        release()
        if (stderr instanceof Socket) stderr.unref()
        resolve(output)
      }
      if (child.exitCode === null) child.once('exit', succeed)
      else succeed()
    })
    child.once('exit', (code, signal) => {
      if (code === 0) return
      const fail = () => end(code === null ? `was ended by ${signal}` : `failed with exit code ${code}`)
      child.once('close', clock.after(outputMs, fail))
      child.once('close', fail)
    })
  })

/** Never quotes the answer, which is a credential. */
const answerOf = (text: string, { command, apiVersion }: Exec): z.output<typeof answerSchema> => {
  const refuse = (why: string) =>
    new Error(`the kubeconfig's plugin ${command} printed no credential: ${why}`)
  const value = parsedJson(text)
  if (value === undefined) throw refuse('its output is not JSON')
  const { data, error } = answerSchema.safeParse(value)
  if (error !== undefined) throw refuse(`wrong field ${error.issues[0]?.path.join('.') || 'in its output'}`)
  if (data.apiVersion !== apiVersion)
    throw refuse(`the kubeconfig requests ${apiVersion}, and it answers with ${data.apiVersion}`)
  const { token, clientCertificateData, clientKeyData } = data.status
  if (!token && !(clientCertificateData && clientKeyData))
    throw refuse('neither a token nor a certificate with its key')
  return data
}
