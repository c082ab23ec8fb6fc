import { join } from 'node:path'
import { goPrograms, outputOf } from '../../programs/programs.ts'

/** Runs cosign (https://docs.sigstore.dev/cosign/) and returns its output. Rejects with its error output. */
export type Cosign = (...args: readonly string[]) => Promise<string>

/** Keys of a run have no password: they are removed at its end. */
export const cosignAt =
  (path: string): Cosign =>
  (...args) =>
    outputOf(path, args, { env: { ...process.env, COSIGN_PASSWORD: '' } })

/** Returns the program in `COSIGN`, or else the version of `cosign/go.mod`, built once into the user's cache. */
export const findCosign = async (environment: NodeJS.ProcessEnv): Promise<string> => {
  if (environment.COSIGN) return environment.COSIGN
  const folder = await goPrograms(environment, {
    what: 'cosign',
    module: join(import.meta.dirname, '..', 'cosign'),
    packages: { cosign: 'github.com/sigstore/cosign/v3/cmd/cosign' },
    takes: 'about four minutes on two cores',
    instead: 'or set COSIGN to a cosign (https://docs.sigstore.dev/cosign/system_config/installation/)',
  })
  return join(folder, 'cosign')
}
