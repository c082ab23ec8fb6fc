import { join, relative } from 'node:path'
import { Command } from 'commander'
import { print } from '../../shared/terminal/print.ts'
import { projectFlag } from './project-flag.ts'

interface ManifestsOptions {
  readonly project?: string
  readonly out?: string
}

/** `trellis manifests`: writes the files that a project commits beside its definitions. */
export const manifestsCommand = (): Command =>
  new Command('manifests')
    .description(
      'Write the manifests of a project as folders for kustomize (deploy/knative), and its Helm chart as files (deploy/chart): ' +
        'for the repository, so that a change of a definition shows its permissions and settings. install prints what a seed needs.',
    )
    .addOption(projectFlag())
    .option('--out <folder>', 'output folder (default: deploy of the project)')
    .addHelpText(
      'after',
      '\nExample:\n  trellis manifests && git add --intent-to-add deploy && git diff --exit-code deploy',
    )
    .action(async ({ project: asked, out }: ManifestsOptions) => {
      const [{ chartFiles }, { writeFiles, writeProjectManifests }, { definitionsOf }, { findProject }] =
        await Promise.all([
          import('../../deploy/chart/chart.ts'),
          import('../../deploy/knative/knative.ts'),
          import('../../deploy/project/project.ts'),
          import('../project/find-project.ts'),
        ])
      const project = await findProject(process.cwd(), asked)
      const folder = out ?? join(project.root, 'deploy')
      await writeProjectManifests(project, join(folder, 'knative'))
      const { name, version } = project
      const chart = join(folder, 'chart', name)
      await writeFiles(chart, await chartFiles({ ...(await definitionsOf(project)), name, version }))
      for (const written of [join(folder, 'knative'), chart])
        print(`${relative(process.cwd(), written) || written}\n`)
    })
