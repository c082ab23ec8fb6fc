import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ServerProcess {
  /** Returns the last part of its output, at most 64 KB, for error messages. */
  output(): string
  /** Resolves when it has ended for any reason. */
  readonly ended: Promise<void>
  /** Pauses or continues it. */
  signal(signal: 'STOP' | 'CONT'): void
  /** Kills it, and waits until it has ended. */
  stop(): Promise<void>
}

export interface ServerProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** The working directory. Default: that of this process. */
  readonly cwd?: string
  /** A folder to remove after the server has ended. */
  readonly folder?: string
  /** A folder of control groups to remove after the server has ended. */
  readonly controlGroups?: string
}

/**
 * Starts the server and kills it as soon as its own input ends: at `stop`, and at any end of this process, even by
 * SIGKILL. An aborted suite therefore leaves nothing behind. Lines of the input are signals for the server. The script
 * prints nothing, because no process may read it by then, and the signal of a broken pipe would end it too early.
 */
const killWithParent = `
exec 3<&0
"$@" </dev/null &
server=$!
exec >/dev/null 2>&1
( while read -r signal <&3; do kill -s "$signal" $server; done; kill -9 $server ) &
guard=$!
wait $server
kill $guard
test -z "$FOLDER" || rm -rf "$FOLDER"
attempts=0
while test -n "$CONTROL_GROUPS" -a -d "$CONTROL_GROUPS" -a $attempts -lt 50; do
  find "$CONTROL_GROUPS" -depth -type d -exec rmdir {} \\; 2>/dev/null
  attempts=$((attempts + 1))
  test ! -d "$CONTROL_GROUPS" || sleep 0.1
done
`

/** Starts a server that is completely removed when it is stopped or when this process ends. */
export const startServerProcess = ({
  command,
  args,
  env = process.env,
  cwd = process.cwd(),
  folder = '',
  controlGroups = '',
}: ServerProcessOptions): ServerProcess => {
  const child = spawn('sh', ['-c', killWithParent, 'guard', command, ...args], {
    env: { ...env, FOLDER: folder, CONTROL_GROUPS: controlGroups },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: Ctrl-C must not end the script before it has cleaned up.
    detached: true,
  })
  let output = ''
  const append = (text: string) => {
    output = (output + text).slice(-64 * 1024)
  }
  child.stdout.setEncoding('utf8').on('data', append)
  child.stderr.setEncoding('utf8').on('data', append)
  // A signal may be sent right after it has ended.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(
    () => {},
    error => append(String(error)),
  )
  return {
    output: () => output,
    ended,
    signal: signal => child.stdin.write(`${signal}\n`),
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}

/**
 * Starts a server again a second after it has ended by itself, as a kubelet does. Gardener's programs end if a slow
 * machine does not fill their caches in time.
 */
export const startRestartedProcess = (options: ServerProcessOptions): ServerProcess => {
  let [said, isStopped] = ['', false]
  let current = startServerProcess(options)
  const run = async () => {
    for (;;) {
      await current.ended
      if (isStopped) return
      said = `${said}${current.output()}\n(it ended, and is started again)\n`.slice(-64 * 1024)
      await sleep(1_000)
      if (isStopped) return
      current = startServerProcess(options)
    }
  }
  const ended = run()
  return {
    output: () => `${said}${current.output()}`,
    ended,
    signal: signal => current.signal(signal),
    stop: async () => {
      isStopped = true
      await current.stop()
      await ended
    },
  }
}
