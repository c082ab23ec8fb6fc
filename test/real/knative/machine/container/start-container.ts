import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContainerMount, prepareRoot } from './container-root.ts'
import type { MemoryGroup } from './memory-groups.ts'
import { commandLineOf, descendantsOf } from './process-figures.ts'
import { runCommand } from './run-command.ts'

export interface ContainerStart {
  /** A folder for its root file system, on a file system other than overlayfs. */
  readonly room: string
  /** The file of the Pod's network namespace. */
  readonly network: string
  readonly hostname: string
  /** The root file system of its image. */
  readonly lower: string
  readonly readOnlyRoot: boolean
  readonly mounts: readonly ContainerMount[]
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly user: { readonly uid: number; readonly gid: number }
  readonly workingDirectory: string
  readonly memoryGroup: MemoryGroup | undefined
  output(text: string): void
}

/** A process with namespaces of its own. Its children end with it. */
export interface RunningContainer {
  /** Its first process; undefined after its end. */
  pid(): number | undefined
  /** Sends a signal to the first process, as a container runtime does. STOP and CONT reach all processes. */
  signal(signal: ContainerSignal): void
  /** Runs a program in the container, as its user. */
  exec(
    command: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly code: number; readonly output: string }>
  /** The exit code as in a container's status: 128 plus the number of the signal. */
  readonly ended: Promise<number>
}

export type ContainerSignal = 'KILL' | 'STOP' | 'CONT' | 'TERM'

/**
 * Runs as the first process of the container's namespaces: joins the memory group, mounts the root file system, and
 * becomes the program. Arguments: room, lower layer, memory group or nothing, host name, `ro` or `rw`, the mounts
 * (three each), `--`, and the program.
 */
const becomeProgram = `
set -e
cd "$1"
test -z "$3" || echo 0 > "$3/cgroup.procs"
mount -t overlay overlay -o "lowerdir=$2,upperdir=upper,workdir=work" root
mount -t proc proc root/proc
echo "$4" > /proc/sys/kernel/hostname
echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
mode=$5
shift 5
while test "$1" != --; do
  mount --rbind "$1" "root$2"
  test "$3" = rw || mount -o remount,bind,ro "root$2"
  shift 3
done
shift
test "$mode" = rw || mount -o remount,ro root
exec env -i "$@"
`

/**
 * Starts the first process of the new PID namespace, and ends with the exit code that a container runtime reports.
 * `unshare --fork` ends with 1 after SIGKILL.
 */
const awaitProgram = `
exec 3>&2 2>/dev/null
sh -c "$0" "$@" 2>&3 3>&-
exit $?
`

/** Resolves when the program runs or has already ended. */
export const startContainer = async (options: ContainerStart): Promise<RunningContainer> => {
  const { room, lower, mounts, memoryGroup, environment, user } = options
  await prepareRoot(room, lower, mounts)
  const asUser = ['--setgid', String(user.gid), '--setuid', String(user.uid)]
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const child = spawn(
    'nsenter',
    [
      ...[`--net=${options.network}`, 'unshare', '--mount', '--uts', '--ipc', '--pid'],
      ...['sh', '-c', awaitProgram, becomeProgram],
      ...['container', room, lower, memoryGroup?.path ?? '', options.hostname],
      options.readOnlyRoot ? 'ro' : 'rw',
      ...mounts.flatMap(({ source, target, readOnly }) => [source, target, readOnly ? 'ro' : 'rw']),
      ...['--', ...variables, nsenter, '--root=root', `--wd=root${options.workingDirectory}`, ...asUser],
      ...options.command,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  child.stdout.setEncoding('utf8').on('data', options.output)
  child.stderr.setEncoding('utf8').on('data', options.output)
  const ended = once(child, 'close').then(
    ([code]): number => code ?? 137,
    error => {
      options.output(`cannot start: ${error}\n`)
      return 128
    },
  )
  const pid = () => (child.pid === undefined ? undefined : descendantsOf(child.pid)[0])
  // From now on, a signal reaches the program.
  const hasEnded = ended.then(() => true)
  while (!isProgram(pid()) && !(await Promise.race([hasEnded, sleep(startPollMs, false)])));
  return {
    pid,
    signal: signal => {
      const all = child.pid === undefined ? [] : descendantsOf(child.pid)
      const isPause = signal === 'STOP' || signal === 'CONT'
      for (const target of isPause ? all : all.slice(0, 1)) {
        try {
          process.kill(target, `SIG${signal}`)
        } catch {
          // It has just ended.
        }
      }
    },
    exec: async (command, signal) => {
      const first = pid()
      if (first === undefined) return { code: 126, output: 'the container does not run' }
      return runCommand(
        [
          ...[
            'nsenter',
            `--target=${first}`,
            '--mount',
            '--uts',
            '--ipc',
            '--net',
            '--pid',
            '--root',
            '--wd',
          ],
          ...[...asUser, '--', 'env', '-i', ...variables, ...command],
        ],
        { signal },
      )
    },
    ended,
  }
}

const startPollMs = 5

/** Returns true if the process has become the program: the steps before have this argument. */
const isProgram = (pid: number | undefined): boolean =>
  pid !== undefined && !commandLineOf(pid).includes('--root=root')

/** An absolute path, because the container's PATH is not the node's. */
const nsenter = '/usr/bin/nsenter'
