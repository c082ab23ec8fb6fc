import { writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { admissionCharts } from '../../../knative/chart/chart.ts'
import { outputOf } from '../../programs/programs.ts'
import { definitionsOf, type Project } from '../../project/project.ts'
import type { PushedChart } from './release-charts.ts'

export interface WriteRegistrationsOptions {
  readonly out: string
  readonly registry: string
  readonly charts: readonly PushedChart[]
}

/**
 * Writes for each provider the objects that install a release: `registration-<provider>.yaml` for gardenlet and
 * `operator-extension-<provider>.yaml` for gardener-operator, with chart and images by digest. The images are those of
 * `images.json` in the folder.
 */
export const writeRegistrations = async (
  project: Project,
  { out, registry, charts }: WriteRegistrationsOptions,
): Promise<void> => {
  const { functions, webhooks } = await definitionsOf(project)
  const providers = new Set(functions.map(({ file }) => providerOf(file)))
  const withAdmission = new Set(
    webhooks.filter(({ target }) => target === 'garden').map(({ file }) => providerOf(file)),
  )
  const chart = (name: string): string => charts.find(one => one.name === name)?.reference ?? ''
  const render = (what: string, provider: string, ...more: readonly string[]) =>
    outputOf(process.execPath, [
      join(project.root, 'cli/trellis.mjs'),
      ...['install', '--render', what, '--provider', provider, '--chart', chart('trellis')],
      ...['--registry', registry, '--images', join(out, 'images.json'), ...more],
    ])
  for (const provider of providers) {
    await writeText(out, `registration-${provider}.yaml`, await render('registration', provider))
    const admission = withAdmission.has(provider)
      ? [
          ...['--admission-runtime', chart(admissionCharts.runtime.name)],
          ...['--admission-application', chart(admissionCharts.application.name)],
        ]
      : []
    const extension = await render('operator-extension', provider, ...admission)
    await writeText(out, `operator-extension-${provider}.yaml`, extension)
  }
}

const providerOf = (file: string): string => basename(dirname(dirname(file)))

const writeText = (folder: string, name: string, text: string): Promise<void> =>
  writeFile(join(folder, name), `${text}\n`)
