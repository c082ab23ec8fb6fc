import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce } from './cache.ts'
import { outputOf, run } from './command.ts'
import { MissingProgramError } from './part.ts'

export interface GoPrograms {
  /** Their names in messages: `helm and kubeconform`. */
  readonly what: string
  /** The folder with the `go.mod` and `go.sum` that pin them. */
  readonly module: string
  /** The name of their cache folder. Default: the name of the module's folder. */
  readonly name?: string
  /** Packages by the name of the program. */
  readonly packages: Readonly<Record<string, string>>
  /** The build time for a message, if it is more than some seconds. */
  readonly takes?: string
  /** The alternative to Go, after a comma: `or set REGCTL to a regctl`. */
  readonly instead?: string
  readonly tags?: string
  /** Linker settings of variables, by the name of the program. */
  readonly variables?: (
    versionOf: (module: string) => Promise<string>,
  ) => Promise<Readonly<Record<string, readonly string[]>>>
}

/**
 * Returns the folder with Go programs, built once from the versions that a module pins. Throws `MissingProgramError` if
 * Go is missing or older than the module requires.
 */
export const goPrograms = async (
  environment: NodeJS.ProcessEnv,
  { what, module, name: cached = basename(module), packages, takes, instead, tags, variables }: GoPrograms,
): Promise<string> => {
  const flags = [
    '-mod=readonly',
    '-trimpath',
    '-buildvcs=false',
    ...(tags === undefined ? [] : [`-tags=${tags}`]),
  ]
  const env = { ...environment, CGO_ENABLED: '0', GOFLAGS: flags.join(' ') }
  const inModule = { cwd: module, env }
  const pins = await Promise.all(['go.mod', 'go.sum'].map(file => readFile(join(module, file), 'utf8')))
  const needed = /^go (\S+)$/m.exec(pins.join(''))?.[1] ?? ''
  const missing = (why: string, options?: ErrorOptions) => {
    const get = `Install Go ${needed} or newer (https://go.dev/doc/install)`
    const todo = instead === undefined ? get : `${get}, ${instead}`
    return new MissingProgramError(`cannot build ${what}: ${why}. ${todo}`, options)
  }
  const go = await outputOf('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], inModule).catch(cause => {
    throw missing('Go is not installed', { cause })
  })
  const [version = go] = go.split('\n')
  if (version.replace('go', '').localeCompare(needed, 'en', { numeric: true }) < 0)
    throw missing(`${version} is older than ${needed}`)
  const folder = join(cacheFolder(environment), cached, fingerprint(go, ...pins))
  return madeOnce(folder, async into => {
    if (takes !== undefined) console.info(`building ${what} (once): ${takes}`)
    const written = await variables?.(of =>
      outputOf('go', ['list', '-m', '-f', '{{.Version}}', of], inModule),
    )
    const build = (output: string, paths: readonly string[], set: readonly string[] = []) => {
      const linked = ['-s', '-w', ...set.map(variable => `-X ${variable}`)].join(' ')
      return run('go', ['build', '-ldflags', linked, '-o', output, ...paths], inModule)
    }
    // One build of many programs is faster, but Go names each after its package.
    const { together = [], alone = [] } = Object.groupBy(Object.entries(packages), ([name, path]) =>
      basename(path) === name && written?.[name] === undefined ? 'together' : 'alone',
    )
    if (together.length > 0)
      await build(
        `${into}/`,
        together.map(([, path]) => path),
      )
    for (const [name, path] of alone) await build(join(into, name), [path], written?.[name])
  })
}
