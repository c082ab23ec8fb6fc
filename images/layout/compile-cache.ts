import { spawn } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { nodeFlagsOf } from '../node-flags.ts'

/** The folder beside a program in which Node keeps what V8 compiled of it (https://nodejs.org/api/module.html#module-compile-cache). */
export const compileCacheFolder = 'compile-cache'

/** What a process has to be told to use it, when the program is in `folder`. Portable: by the place of a file beside the cache. */
export const compileCacheVariables = (folder: string): Readonly<Record<string, string>> => ({
  NODE_COMPILE_CACHE: `${folder}/${compileCacheFolder}`,
  NODE_COMPILE_CACHE_PORTABLE: '1',
})

/**
 * Loads the files of a program and ends before they do anything: every program of ours refuses a setting that it does not
 * know. The Dockerfile says the same.
 */
export const primingScript = (folder: string): string =>
  `process.env.TRELLIS_PRIMING='1';process.on('exit',()=>{process.exitCode=0});require('${folder}/kubeconfig.cjs');require('${folder}/main.cjs')`

export interface PrimingOptions {
  /** How the Node of the base is started on this machine: a program and what comes before its arguments. */
  readonly node: readonly string[]
  /** The folder of a program; the cache is written into it. */
  readonly folder: string
  /** Its name: of what node is started with. */
  readonly program: string
  /** Of the processes that read the cache: Node keeps one for each user. */
  readonly user: number
}

/**
 * Makes the compile cache of a program. The bytes depend on Node and the program alone: `--predictable` fixes the seed of
 * V8's hashes without being one of the flags that a cache is bound to, and by `/proc/self/cwd` a file has the same name
 * wherever it lies. Rejects when Node wrote none.
 */
export const primeCompileCache = async ({
  node,
  folder,
  program: name,
  user,
}: PrimingOptions): Promise<void> => {
  const cache = join(folder, compileCacheFolder)
  await rm(cache, { recursive: true, force: true })
  await mkdir(cache)
  const here = '/proc/self/cwd'
  const [program = '', ...before] = node
  const said = await outputOfFailing(
    program,
    [...before, ...nodeFlagsOf(name), '--predictable', '--preserve-symlinks', '--eval', primingScript(here)],
    { cwd: folder, env: compileCacheVariables(here) },
  )
  const [made] = await readdir(cache)
  const files = made === undefined ? [] : await readdir(join(cache, made))
  if (made === undefined || files.length === 0)
    throw new Error(`the Node of the base made no compile cache of ${folder}: ${said.trim()}`)
  const own = made.replace(/-\d+$/, `-${user}`)
  if (own !== made) await rename(join(cache, made), join(cache, own))
}

/** What a process said on both of its outputs, however it ended. */
const outputOfFailing = async (
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> => {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve(`exit code ${code}`))
  })
  const [out, errors, end] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return `${errors}${out}${end}`
}
