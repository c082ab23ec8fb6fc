import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { print } from '../../shared/terminal/print.ts'
import { splitList } from '../../shared/text/split-list.ts'
import { projectFlag } from './project-flag.ts'

interface BundleCommandOptions {
  readonly project?: string
  readonly only?: readonly string[]
  readonly out?: string
}

/** `trellis bundle`: writes the programs of a project, each as one file of JavaScript. */
export const bundleCommand = (): Command =>
  new Command('bundle')
    .description(
      'Bundle each program of a project: its functions, its webhooks, all functions of a provider in one process, the bridge and the ' +
        'seed process. A folder of a program has its code, licences, a list of contents (CycloneDX) and a project of func.',
    )
    .addOption(projectFlag())
    .option('--only <names>', 'only these programs, separated by commas', splitList)
    .option(
      '--out <folder>',
      'output folder: new, empty, or of an earlier run, which is replaced (default: dist/bundles of the project)',
    )
    .addHelpText('after', '\nExample:\n  trellis bundle --only bridge')
    .action(async ({ project: asked, only, out }: BundleCommandOptions) => {
      const [{ chosenPrograms, emptyFolder, findPrograms, writeBundles }, { findProject }] =
        await Promise.all([import('../../build/images/images.ts'), import('../project/find-project.ts')])
      const project = await findProject(process.cwd(), asked)
      const programs = chosenPrograms(await findPrograms(project), only)
      const folder = out ?? join(project.root, 'dist/bundles')
      if (out === undefined) await rm(folder, { recursive: true, force: true })
      else await emptyFolder(folder)
      for await (const { name, files } of writeBundles(programs, folder, project)) {
        const sizes = files.map(({ file, bytes }) => `${file} ${Math.round(bytes / 1024)} KiB`)
        print(`${name.padEnd(36)} ${sizes.join(', ')}\n`)
      }
    })
