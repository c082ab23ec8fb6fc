import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { UsageError } from '../sandbox/terminal/exit-code.ts'
import type { Clock } from '../shared/clock/clock.ts'
import { kubeconfigAccess } from '../shared/kubernetes/kubernetes.ts'

/** The local services that a command uses. */
export interface WaitOptions {
  /** The URL of a cloud. */
  readonly endpoint?: string
  readonly kubeconfig?: string
}

export interface Patience {
  readonly clock: Clock
  /** Prints the awaited service, once for each. */
  readonly print: (text: string) => void
  /** Milliseconds. */
  readonly limitMs: number
  /** Returns the command that starts a cloud at a local port. */
  readonly howToStart: (port: number | undefined) => string
}

/** The interval between two reads, in ms. */
const pauseMs = 100

/**
 * Waits for local services that another command is starting: until an endpoint on the loopback interface listens, a
 * kubeconfig is written, and its local API server listens. Does not wait for remote ones. Throws a `UsageError` with
 * the command to start after the time limit.
 */
export const untilThere = async (
  { endpoint, kubeconfig }: WaitOptions,
  patience: Patience,
): Promise<void> => {
  if (kubeconfig !== undefined)
    await until(patience, {
      reached: () => isReachable(kubeconfig, patience.clock),
      what: kubeconfig,
      missing: `no API server answers for ${kubeconfig}. Start one with: trellis dev --kubeconfig ${kubeconfig}`,
    })
  if (endpoint !== undefined) {
    const port = loopbackPort(endpoint)
    await until(patience, {
      reached: () => listens(endpoint),
      what: endpoint,
      missing: `nothing listens at ${endpoint}; ${patience.howToStart(port)}`,
    })
  }
}

interface Awaited {
  readonly reached: () => Promise<boolean>
  readonly what: string
  readonly missing: string
}

const until = async (
  { clock, print, limitMs }: Patience,
  { reached, what, missing }: Awaited,
): Promise<void> => {
  const end = clock.now() + limitMs
  for (let first = true; !(await reached()); first = false) {
    if (clock.now() >= end) throw new UsageError(missing)
    if (first) print(`waiting for ${what}, at most ${limitMs / 1000} s`)
    await clock.sleep(pauseMs)
  }
}

/** Read again each time: the kubeconfig of an earlier sandbox may still exist. */
const isReachable = async (file: string, clock: Clock): Promise<boolean> => {
  const isThere = await access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  if (!isThere) return false
  // Later code reports an invalid one.
  const server = await kubeconfigAccess({ file, clock }).then(
    found => found.server,
    () => undefined,
  )
  return server === undefined || listens(server)
}

/** Returns true if a server accepts connections; always true outside of the loopback interface. */
const listens = (url: string): Promise<boolean> => {
  const port = loopbackPort(url)
  if (port === undefined) return Promise.resolve(true)
  return new Promise(resolve => {
    const socket = connect({ host: hostOf(url), port })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')

const loopbackPort = (url: string): number | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, port } = new URL(url)
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(hostOf(url))
  if (!isLoopback || !/^https?:$/.test(protocol)) return undefined
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
