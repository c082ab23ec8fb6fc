import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce } from './cache.ts'
import { outputOf, run } from './command.ts'
import { findGo } from './find-go.ts'

/** Path of Prometheus' tool, which checks rules and metrics. */
export interface PromtoolProgram {
  readonly promtool: string
}

const module = join(import.meta.dirname, '..', 'promtool')
const howToGet = 'install Go 1.26 or newer (https://go.dev/doc/install)'
const path = 'github.com/prometheus/prometheus/cmd/promtool'

/**
 * promtool, built from the version in `promtool/go.mod` (a minute on two cores, once). Without the ways to find targets
 * (`remove_all_sd`, a build tag of Prometheus): rules need none, and they would bring a client of every cloud.
 */
export const promtoolProgram = async (environment: NodeJS.ProcessEnv): Promise<PromtoolProgram> => {
  const env = {
    ...environment,
    CGO_ENABLED: '0',
    GOFLAGS: '-mod=readonly -trimpath -buildvcs=false -tags=remove_all_sd',
  }
  const pins = await Promise.all(['go.mod', 'go.sum'].map(file => readFile(join(module, file), 'utf8')))
  const go = await findGo({ what: 'promtool', howToGet, module, env }, pins.join(''))
  const folder = join(cacheFolder(environment), 'promtool', fingerprint(go, ...pins))
  await madeOnce(folder, async into => {
    const list = ['list', '-m', '-f', '{{.Version}}', 'github.com/prometheus/prometheus']
    console.info(`building promtool ${await outputOf('go', list, { cwd: module, env })}, once`)
    await run('go', ['build', '-ldflags', '-s -w', '-o', join(into, 'promtool'), path], { cwd: module, env })
  })
  return { promtool: join(folder, 'promtool') }
}
