import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'
import { findRegctl } from './regctl.ts'

export interface RegistryPrograms {
  /** regctl of `test/real/regctl/go.mod`, which reads images. */
  readonly regctl: string
  /** The registry of the distribution project (https://distribution.github.io/distribution/). */
  readonly registry: string
}

/** Builds both once from the versions in their `go.mod`. */
export const registryPrograms = async (environment: NodeJS.ProcessEnv): Promise<RegistryPrograms> => {
  const regctl = await findRegctl(environment)
  const folder = await goPrograms(environment, {
    what: 'the registry',
    module: join(import.meta.dirname, '..', 'registry'),
    packages: { registry: 'github.com/distribution/distribution/v3/cmd/registry' },
    takes: 'about four minutes on two cores',
  })
  return { regctl, registry: join(folder, 'registry') }
}
