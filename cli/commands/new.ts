import { Command } from 'commander'
import { kindNames } from '../../shared/contract/kind-names.ts'
import type { NewCommandOptions } from '../new/run-new.ts'

/**
 * `trellis new PROVIDER/KIND`: creates a working function as a starting point. `trellis new project NAME`: a repository
 * around one.
 */
export const newCommand = (): Command =>
  new Command('new')
    .description(
      'Write a function with its test, example and event: next to the other functions of a clone or project, or in an empty folder ' +
        'as a new project with CI workflow and Makefile. The new function passes its checks and runs at once, without a cloud. On a ' +
        'terminal, the command asks for missing arguments.',
    )
    .argument('[PROVIDER/KIND]', `such as acme/dnsrecord; the kinds are ${kindNames.join(', ')}. Or: project`)
    .argument('[NAME]', 'of a project: creates its folder, with the function NAME/dnsrecord')
    .option('--function <provider/kind>', 'the function of a new project (default: NAME/dnsrecord)')
    .option('--type <type>', 'spec.type of its objects (default: the provider)')
    .option(
      '--name <name>',
      'of its Knative Service (default: <provider>-<kind>, with --secondary <provider>-<kind>-secondary)',
    )
    .option(
      '--class <classes>',
      'classes: shoot, seed and garden, separated by commas (default: the classes of the kind)',
    )
    .option(
      '--dir <folder>',
      'target folder (default: the working directory, or the clone or project around it)',
    )
    .option(
      '--library <source>',
      'the library that a new project installs (default: the one that this command was installed from)',
    )
    .option('--secondary', 'a function beside the controller of the objects (docs/secondary.md)')
    .option('--references', 'an Extension with a Secret of spec.resources (docs/kinds/extension.md)')
    .option('--yes', 'ask nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  trellis new project acme\n  trellis new acme/dnsrecord --type acme-dns --yes',
    )
    .action(async (given: string | undefined, name: string | undefined, options: NewCommandOptions) => {
      const { runNew } = await import('../new/run-new.ts')
      await runNew(given, name, options)
    })
