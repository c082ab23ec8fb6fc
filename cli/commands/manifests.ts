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
      'Write the manifests of a project as folders for kustomize, and its Helm chart as files (chart), into its folder knative: ' +
        'for the repository, so that a change of a definition shows its permissions and settings. install prints what a seed needs.',
    )
    .addOption(projectFlag())
    .option('--out <folder>', 'output folder (default: knative of the project)')
    .addHelpText(
      'after',
      '\nExample:\n  trellis manifests && git add --intent-to-add knative && git diff --exit-code knative',
    )
    .action(async ({ project: asked, out }: ManifestsOptions) => {
      const [
        { chartFiles },
        { writeFiles, writeManifestFolders },
        { projectDeployment, seedProcessDeployment },
        { packageVersion },
        { definitionsOf },
        { findProject },
      ] = await Promise.all([
        import('../../knative/chart/chart.ts'),
        import('../../knative/knative.ts'),
        import('../../build/project/project-deployment.ts'),
        import('../../build/project/package-version.ts'),
        import('../../build/project/project.ts'),
        import('../project/find-project.ts'),
      ])
      const project = await findProject(process.cwd(), asked)
      const folder = out ?? join(project.root, 'knative')
      const [deployment, seedProcess, definitions, libraryVersion] = await Promise.all([
        projectDeployment(project),
        seedProcessDeployment(project),
        definitionsOf(project),
        packageVersion(),
      ])
      await writeManifestFolders(deployment, seedProcess, folder)
      const { name, version } = project
      const chart = join(folder, 'chart', name)
      await writeFiles(chart, await chartFiles({ ...definitions, name, version, libraryVersion }))
      for (const written of [folder, chart]) print(`${relative(process.cwd(), written) || written}\n`)
    })
