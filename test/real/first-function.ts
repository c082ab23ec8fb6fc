import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { outputOf } from '../../build/programs/programs.ts'

/** What an author's first commands took, in seconds. */
export interface FirstFunction {
  readonly folder: string
  /** `npm install` of the packed library into the empty folder, with npm's cache as it is: before it there is no `trellis`. */
  readonly librarySeconds: number
  /** `trellis new`. */
  readonly newSeconds: number
  /** `npm install` of what the new project asks for besides. */
  readonly installSeconds: number
  /** `trellis dev`, until the object of the example is `Succeeded`. */
  readonly devSeconds: number
  /** What `trellis dev` printed. */
  readonly output: string
}

/** Longest time for `trellis dev`, in ms. */
const patienceMs = 120_000

/**
 * From an empty folder to the first `Succeeded`, as docs/authors.md has it: three commands, once the library is there.
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
  // Also where the machine has an older Node: the one of this process.
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
