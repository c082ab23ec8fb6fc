import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'

/** Path of the Prometheus tool that checks rules and metrics. */
export interface PromtoolProgram {
  readonly promtool: string
}

/**
 * Returns promtool, built once from the version in `promtool/go.mod`. Built without service discovery (`remove_all_sd`,
 * a build tag of Prometheus): rules do not need it, and it would add a client for every cloud.
 */
export const promtoolProgram = async (environment: NodeJS.ProcessEnv): Promise<PromtoolProgram> => {
  const folder = await goPrograms(environment, {
    what: 'promtool',
    module: join(import.meta.dirname, '..', 'promtool'),
    packages: { promtool: 'github.com/prometheus/prometheus/cmd/promtool' },
    tags: 'remove_all_sd',
    takes: 'a minute on two cores',
  })
  return { promtool: join(folder, 'promtool') }
}
