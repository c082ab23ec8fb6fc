import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce } from './cache.ts'
import { outputOf, run } from './command.ts'
import { MissingProgramError } from './part.ts'

export interface GoPrograms {
  /** What they are called, in messages: `helm and kubeconform`. */
  readonly what: string
  /** The folder with the `go.mod` and `go.sum` that pin them; its name is that of their folder in the cache. */
  readonly module: string
  /** The package of each, by the name of the program. */
  readonly packages: Readonly<Record<string, string>>
  /** How long it takes, where that is more than some seconds: who waits is told. */
  readonly takes?: string
  /** What there is besides Go, after a comma: `or set REGCTL to a regctl`. */
  readonly instead?: string
  /** Build tags. */
  readonly tags?: string
  /** What the linker writes into variables, by the name of the program. */
  readonly variables?: (
    versionOf: (module: string) => Promise<string>,
  ) => Promise<Readonly<Record<string, readonly string[]>>>
}

/**
 * The folder with programs of Go, built once from the versions that a module pins. Throws `MissingProgramError` where there is
 * no Go, or one that is older than what the module asks for.
 */
export const goPrograms = async (
  environment: NodeJS.ProcessEnv,
  { what, module, packages, takes, instead, tags, variables }: GoPrograms,
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
    const get = `install Go ${needed} or newer (https://go.dev/doc/install)`
    const todo = instead === undefined ? get : `${get}, ${instead}`
    return new MissingProgramError(`${what} cannot be built, ${why}: ${todo}`, options)
  }
  const go = await outputOf('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], inModule).catch(cause => {
    throw missing('there is no Go', { cause })
  })
  const [version = go] = go.split('\n')
  if (version.replace('go', '').localeCompare(needed, 'en', { numeric: true }) < 0)
    throw missing(`${version} is older than ${needed}`)
  const folder = join(cacheFolder(environment), basename(module), fingerprint(go, ...pins))
  return madeOnce(folder, async into => {
    if (takes !== undefined) console.info(`building ${what}, once: ${takes}`)
    const written = await variables?.(of =>
      outputOf('go', ['list', '-m', '-f', '{{.Version}}', of], inModule),
    )
    for (const [name, path] of Object.entries(packages)) {
      const linked = ['-s', '-w', ...(written?.[name] ?? []).map(variable => `-X ${variable}`)].join(' ')
      await run('go', ['build', '-ldflags', linked, '-o', join(into, name), path], inModule)
    }
  })
}
