import { Command, Option } from 'commander'
import { systemClock } from '../../shared/clock/clock.ts'
import { withClusterFlags } from './cluster-flags.ts'

interface StatusOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly output: 'text' | 'json'
  readonly watch?: boolean
  /** In seconds. */
  readonly timeout: number
}

/** The pause between two readings of a seed, in ms. */
const everyMs = 5_000

/** `trellis status`: all shoots of a seed, failing ones first. */
export const statusCommand = (): Command =>
  withClusterFlags(new Command('status'))
    .description(
      'Print all shoots of a seed, failing ones first: which objects fail or wait, why, who has to act, and what comes next. It only reads.',
    )
    .option(
      '-n, --namespace <name>',
      'only the shoot with this namespace in the seed, or with this name if only one has it',
    )
    .option('-w, --watch', 'continue until Ctrl-C; without a terminal, print each change')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Marks: ✓ fine, ▶ at work, … waits, ✗ fails, ? unknown.
Exit code 0: nothing fails; 1: something fails, or the API server did not answer; 2: wrong usage.

Example:
  trellis status --kubeconfig seed.kubeconfig
  trellis status -n shoot--garden--rose --watch`,
    )
    .action(async ({ namespace, output, watch, timeout, ...cluster }: StatusOptions) => {
      const [observe, { withCluster }, { json, missingText, output: toOutput, paintOfOutput, wrapped }] =
        await Promise.all([
          import('../observe/observe.ts'),
          import('../open-cluster.ts'),
          import('./observe-output.ts'),
        ])
      const paint = paintOfOutput()
      const isText = output === 'text'
      await withCluster(cluster, async ({ kubernetes }) => {
        const { shoots } = await observe.showView({
          ...toOutput(watch, everyMs, isText),
          read: async () => {
            const signal = AbortSignal.timeout(timeout * 1000)
            const view = await observe.readSeed({ kubernetes, clock: systemClock, signal })
            const all = observe.seedStatus(view)
            const chosen = namespace && observe.chooseShoot(namespace, observe.shootsIn(view))
            const shoots = chosen === undefined ? all : all.filter(({ shoot }) => shoot === chosen)
            return { at: view.at, shoots, missing: view.missing }
          },
          show: reading =>
            isText
              ? wrapped(
                  `${observe.statusAsText(reading.shoots, reading.at, paint)}${missingText(reading.missing)}`,
                )
              : json(reading, watch ? undefined : 2),
          same: ({ shoots, missing }) => JSON.stringify([shoots, missing]),
        })
        if (shoots.some(({ state }) => state === 'failed')) process.exitCode ??= 1
      })
    })
