import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { outputOf } from '../../build/programs/programs.ts'

/** The durations of an author's first commands, in seconds. */
export interface FirstFunction {
  readonly folder: string
  /**
   * `npm install` of the packed library into the empty folder, with npm's current cache. Without it, `trellis` does not
   * exist.
   */
  readonly librarySeconds: number
  /** `trellis new`. */
  readonly newSeconds: number
  /** `npm install` of the other dependencies of the new project. */
  readonly installSeconds: number
  /** `trellis dev`, until the example object is `Succeeded`. */
  readonly devSeconds: number
  /** The output of `trellis dev`. */
  readonly output: string
}

/** The time limit for `trellis dev`, in milliseconds. */
const patienceMs = 120_000

/**
 * Runs the commands of docs/authors.md from an empty folder to the first `Succeeded`: three commands after the
 * installation of the library.
 *
 * @param target such as `local/dnsrecord`
 */
export const runFirstFunction = async (
  parent: string,
  tarball: string,
  target = 'local/dnsrecord',
): Promise<FirstFunction> => {
  const folder = join(parent, 'first')
  await mkdir(folder)
  // Uses the Node of this process, even if the machine has an older one.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const timed = async (run: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await run()
    return (performance.now() - began) / 1000
  }
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund']
  const librarySeconds = await timed(() => outputOf('npm', [...install, tarball], { cwd: folder, env }))
  const trellis = join(folder, 'node_modules/@trellis-gardener/trellis/cli/trellis.mjs')
  const newSeconds = await timed(() =>
    outputOf(process.execPath, [trellis, 'new', target, '--yes'], { cwd: folder, env }),
  )
  const installSeconds = await timed(() => outputOf('npm', install, { cwd: folder, env }))
  const fn = `functions/${target}`
  const args = [trellis, 'dev', '--function', fn, '--apply', `${fn}/example.yaml`]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let output = ''
    const devSeconds = await timed(async () => {
      output = await untilSucceeded(child)
    })
    return { folder, librarySeconds, newSeconds, installSeconds, devSeconds, output }
  } finally {
    child.kill('SIGINT')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

const untilSucceeded = (child: ChildProcess): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  const cut = setTimeout(() => reject(new Error(`nothing succeeded:\n${output}`)), patienceMs)
  const take = (text: unknown) => {
    output += String(text)
    if (/: Succeeded, /.test(output)) resolve(output)
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  child.on('exit', code => reject(new Error(`trellis dev ended with ${code}:\n${output}`)))
  return promise.finally(() => clearTimeout(cut))
}
