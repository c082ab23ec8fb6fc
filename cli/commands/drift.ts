import { Command } from 'commander'
import type { Provider } from '../../sandbox/providers/provider.ts'
import type { RunDriftOptions } from '../drift/run-drift.ts'
import { seconds } from './cluster-flags.ts'
import { observing } from './observing.ts'
import { outputOption } from './output-format.ts'

/** `trellis drift [SHOOT… | --all]`: clouds against their objects. */
export const driftCommand = (providers: readonly Provider[]): Command =>
  new Command('drift')
    .description(
      'Compare the clouds of live objects with what was applied: for each settled object, print what differs and what its next reconcile would do, as trellis plan does. Objects with work to do are pending, not drifted. It only reads, and reads the Secrets of objects.',
    )
    .argument('[shoots...]', 'namespaces of shoots in the seed, or their names if only one has them')
    .option('--all', 'all shoots of the seed, and its objects without a shoot')
    .option(
      '--kind <kind>',
      'only this kind; may be repeated',
      (kind: string, others: readonly string[] = []) => [...others, kind],
    )
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('--endpoint <url>', 'read this cloud, such as that of trellis dev (default: the real one)')
    .option('--after <place>', 'continue a search that ended early, as its output says')
    .option('--timeout <seconds>', 'time limit for the whole search', seconds, 3600)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Set the same TRELLIS_… variables as your functions have, so that their plans are the same.
Exit code 0: nothing has drifted; 1: something has; 2: it could not tell, because something could not be read or
planned, or wrong usage. The rest is printed in each case.

Example:
  trellis drift rose --kubeconfig seed.kubeconfig
  trellis drift --all -o json
  trellis drift --all --kind dnsrecord --kind infrastructure`,
    )
    .action(
      observing(async (given: readonly string[], options: RunDriftOptions) => {
        // Loaded only here, because it needs all of a cloud's SDK.
        const { runDrift } = await import('../drift/run-drift.ts')
        process.exitCode ??= await runDrift(given, options, providers)
      }),
    )
