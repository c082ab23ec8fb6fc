import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface ServerProcess {
  /** The end of what it printed, at most 64 KB: for the message when something goes wrong. */
  output(): string
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Pauses it, or lets it go on. */
  signal(signal: 'STOP' | 'CONT'): void
  /** Kills it, and waits for its end. */
  stop(): Promise<void>
}

export interface ServerProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** Where it runs; absent: where this process does. */
  readonly cwd?: string
  /** A folder to remove when the server has ended. */
  readonly folder?: string
}

/**
 * Starts the server and kills it as soon as its own input ends: at `stop`, and when this process goes away in
 * whatever manner, be it by SIGKILL. Nothing of a suite that was cut off stays behind. Lines of the input are signals for the server. It
 * is silent itself, since by then nobody may be there to read, and the signal of a broken pipe would end it too early.
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
`

/** Starts a server of which nothing is left when it is stopped or when this process ends. */
export const startServerProcess = ({
  command,
  args,
  env = process.env,
  cwd = process.cwd(),
  folder = '',
}: ServerProcessOptions): ServerProcess => {
  const child = spawn('sh', ['-c', killWithParent, 'guard', command, ...args], {
    env: { ...env, FOLDER: folder },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C must not end the guard before it has tidied up.
    detached: true,
  })
  let output = ''
  const keep = (text: string) => {
    output = (output + text).slice(-64 * 1024)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  // A signal may come when it has just ended.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(
    () => {},
    error => keep(String(error)),
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
