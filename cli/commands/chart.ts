import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { print } from '../../shared/terminal/print.ts'
import { projectFlag } from './project-flag.ts'

interface ChartCommandOptions {
  readonly project?: string
  readonly out?: string
  readonly registry?: string
  readonly push?: boolean
  readonly plainHttp?: boolean
}

/** `trellis chart`: packs the Helm charts of a project, and pushes them. */
export const chartCommand = (): Command =>
  new Command('chart')
    .description(
      'Pack the Helm chart of a project, and the charts of admission if it has webhooks or objects of the garden. With --push, also push them to a ' +
        'registry, as helm push does. gardenlet and gardener-operator install a chart from there.',
    )
    .addOption(projectFlag())
    .option('--out <folder>', 'output folder (default: dist/charts of the project)')
    .option('--registry <registry>', 'registry and path of charts: registry.example.com/charts')
    .option('--push', 'push the charts there, with the credentials of docker login')
    .option('--plain-http', 'the registry has no TLS')
    .addHelpText(
      'after',
      `
Examples:
  trellis chart
  trellis chart --registry registry.example.com/charts --push`,
    )
    .action(
      async ({ project: asked, out, registry, push = false, plainHttp = false }: ChartCommandOptions) => {
        const [{ pushChart, registryProblem }, { findProject }, { projectCharts }] = await Promise.all([
          import('../../build/images/images.ts'),
          import('../project/find-project.ts'),
          import('../project/project-charts.ts'),
        ])
        const problem =
          registry === undefined ? (push ? '--push needs --registry' : undefined) : registryProblem(registry)
        if (problem !== undefined) throw new UsageError(problem)
        const project = await findProject(process.cwd(), asked)
        const folder = out ?? join(project.root, 'dist/charts')
        await mkdir(folder, { recursive: true })
        for (const { name, version, metadata, archive } of await projectCharts(project)) {
          const file = join(folder, `${name}-${version}.tgz`)
          await writeFile(file, archive)
          print(`${file}\n`)
          if (!push) continue
          const reference = `${registry}/${name}:${version}`
          print(`${await pushChart({ reference, metadata, archive, plainHttp })}\n`)
        }
      },
    )
