import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce } from '../../test/real/programs/cache.ts'
import { outputOf } from '../../test/real/programs/command.ts'

const module = join(import.meta.dirname, '..', 'tools')

/** Runs regctl (https://regclient.org/cli/regctl/) and returns what it printed; rejects with what it said. */
export type Regctl = (...args: readonly string[]) => Promise<string>

/** @param hosts settings of registries, as `reg=127.0.0.1:5000,tls=disabled` */
export const regctlAt =
  (path: string, hosts: readonly string[] = []): Regctl =>
  (...args) =>
    outputOf(path, [...hosts.flatMap(host => ['--host', host]), ...args])

/**
 * The program of `REGCTL` where that is set, else the version of `tools/go.mod`, built once into the user's cache (some
 * seconds). Rejects with a sentence that says what to install.
 */
export const findRegctl = async (environment: NodeJS.ProcessEnv): Promise<string> => {
  if (environment.REGCTL) return environment.REGCTL
  const env = { ...environment, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -trimpath -buildvcs=false' }
  const pins = await Promise.all(['go.mod', 'go.sum'].map(file => readFile(join(module, file), 'utf8')))
  const go = await outputOf('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { cwd: module, env }).catch(
    cause => {
      throw new Error(
        'regctl cannot be built, there is no Go: install Go 1.26 or newer (https://go.dev/doc/install), or set REGCTL to a regctl (https://regclient.org/install/)',
        { cause },
      )
    },
  )
  const folder = await madeOnce(
    join(cacheFolder(environment), 'regctl', fingerprint(go, ...pins)),
    async into => {
      const program = 'github.com/regclient/regclient/cmd/regctl'
      await outputOf('go', ['build', '-ldflags', '-s -w', '-o', join(into, 'regctl'), program], {
        cwd: module,
        env,
      })
    },
  )
  return join(folder, 'regctl')
}
