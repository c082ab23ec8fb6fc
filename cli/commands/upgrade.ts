import { Command, InvalidArgumentError } from 'commander'
import { splitList } from '../../shared/text/split-list.ts'
import type { UpgradeOptions } from '../upgrade/run-upgrade.ts'
import { observing } from './observing.ts'
import { outputOption } from './output-format.ts'

/** `trellis upgrade --to VERSION`: the difference between the plans of two versions for all objects of a seed. */
export const upgradeCommand = (): Command =>
  new Command('upgrade')
    .description(
      'Print what an upgrade would do to the shoots of a seed: plan each live object with the code of this version and of another one, and print the difference between the plans. It only reads.',
    )
    .requiredOption(
      '--to <version>',
      'the new version: 1.3.0 or an image with it as its tag (npm installs the library), a checkout, a packed library (.tgz), or a folder in which npm has installed it',
    )
    .option('--from <version>', 'code of the version in the seed, in the same forms (default: this version)')
    .option('--shoots <names>', 'only these shoots, separated by commas', splitList)
    .option('--kinds <kinds>', 'only these kinds, separated by commas, as in kubectl', splitList)
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('--endpoint <url>', 'read this cloud, such as a simulated one (default: the real one)')
    .option(
      '--calls-per-second <number>',
      'requests to one service with one account (default: what leaves room for the functions of the seed)',
      positive,
    )
    .option(
      '--resume <file>',
      'save each finished shoot in this file, and continue from it; unknown objects are tried again',
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The code of each version runs in a process that cannot write files, start programs or use the network. The command
reads from the API server and the clouds on its behalf, and refuses every request that could change something.
Exit code 0: nothing differs; 1: something differs; 2: an object is not known, or wrong usage.

Example:
  trellis upgrade --to 1.3.0 --kubeconfig seed.kubeconfig --resume upgrade.jsonl
  trellis upgrade --to ../trellis-1.3.0 --shoots rose,tulip --kinds worker
  trellis upgrade --from /tmp/old --to /tmp/next -o json`,
    )
    .action(
      observing(async (options: UpgradeOptions) => {
        const { runUpgrade } = await import('../upgrade/run-upgrade.ts')
        process.exitCode = await runUpgrade(options)
      }),
    )

const positive = (text: string): number => {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new InvalidArgumentError('expected a positive number')
}
