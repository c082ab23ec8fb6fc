import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'

/** Path of Prometheus' tool, which checks rules and metrics. */
export interface PromtoolProgram {
  readonly promtool: string
}

/**
 * promtool, built from the version in `promtool/go.mod`, once. Without the ways to find targets (`remove_all_sd`, a build tag
 * of Prometheus): rules need none, and they would bring a client of every cloud.
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
