import { join } from 'node:path'
import { goPrograms, outputOf } from '../../../build/programs/programs.ts'

/** Runs regctl (https://regclient.org/cli/regctl/) and returns its output. Rejects with its error output. */
export type Regctl = (...args: readonly string[]) => Promise<string>

/** @param hosts settings of registries, as `reg=127.0.0.1:5000,tls=disabled` */
export const regctlAt =
  (path: string, hosts: readonly string[] = []): Regctl =>
  (...args) =>
    outputOf(path, [...hosts.flatMap(host => ['--host', host]), ...args])

/**
 * Returns the program in `REGCTL`, or else the version of `regctl/go.mod`, built once into the user's cache (some
 * seconds). Rejects with a message that names the missing software.
 */
export const findRegctl = async (environment: NodeJS.ProcessEnv): Promise<string> => {
  if (environment.REGCTL) return environment.REGCTL
  const folder = await goPrograms(environment, {
    what: 'regctl',
    module: join(import.meta.dirname, '..', 'regctl'),
    packages: { regctl: 'github.com/regclient/regclient/cmd/regctl' },
    instead: 'or set REGCTL to a regctl (https://regclient.org/install/)',
  })
  return join(folder, 'regctl')
}
