import { outputOf } from './command.ts'
import { MissingProgramError } from './part.ts'

export interface GoNeeded {
  /** What cannot be built without it. */
  readonly what: string
  readonly howToGet: string
  /** The folder with the `go.mod`. */
  readonly module: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * The version and platform of Go, as text. Throws `MissingProgramError` where there is none, or one that is older than what
 * the text of the `go.mod` asks for.
 */
export const findGo = async ({ what, howToGet, module, env }: GoNeeded, goMod: string): Promise<string> => {
  const missing = (why: string, options?: ErrorOptions) =>
    new MissingProgramError(`${what} cannot be built, ${why}: ${howToGet}`, options)
  const go = await outputOf('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { cwd: module, env }).catch(
    cause => {
      throw missing('there is no Go', { cause })
    },
  )
  const [version = go] = go.split('\n')
  const needed = /^go (\S+)$/m.exec(goMod)?.[1] ?? ''
  if (version.replace('go', '').localeCompare(needed, 'en', { numeric: true }) < 0) {
    throw missing(`${version} is older than ${needed}`)
  }
  return go
}
