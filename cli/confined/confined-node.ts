import { spawnSync } from 'node:child_process'
import type { AllowedNetwork } from './allowed-network.ts'

/** A command line without the file of the program. */
export interface ConfinedNode {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Runs a program in a new network namespace of Linux, with the loopback of its own (unshare(1), ip-link(8)). The
 * program replaces the shell, so it gets signals, files and the channel. A user needs a user namespace for that. Root
 * does not: there it could no longer read files of other users.
 */
const withoutNetwork = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  ...['--net', '--', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'],
] as const

/** The longest time for an answer about namespaces, in ms. */
const longestTryMs = 5_000

/** Returns true if this system lets its users create such namespaces. Some forbid it, and others have none. */
export const hasNamespaces = (env: ConfinedNode['env']): boolean => {
  const [command, ...args] = withoutNetwork
  return spawnSync(command, [...args, 'true'], { env, stdio: 'ignore', timeout: longestTryMs }).status === 0
}

/**
 * Returns a Node process that can read files, but cannot write, start programs or threads, or load addons. Without an
 * allowed network, it has none where the system has namespaces. The program itself calls `confineProcess`, which
 * reports attempts, and closes the network elsewhere.
 */
export const confinedNode = (given: ConfinedNode['env'], network: AllowedNetwork): ConfinedNode => {
  // Options in the environment could restore permissions, and the process cannot write a cache.
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...env } = given
  const node = [
    process.execPath,
    // Two such processes compare versions, and each is 70 MB smaller.
    '--optimize-for-size',
    ...['--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning'],
  ]
  const [command = '', ...args] =
    network === 'none' && hasNamespaces(env) ? [...withoutNetwork, ...node] : node
  // Arenas of many threads keep memory that is free.
  return { command, args, env: { MALLOC_ARENA_MAX: '1', ...env } }
}
