import { Command, Option } from 'commander'
import { UnknownStateError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { printable } from '../../shared/text/printable.ts'
import type { SeedView } from '../observe/observe.ts'
import { withClusterFlags } from './cluster-flags.ts'
import { exitCodeOfReading, observing } from './observing.ts'

type Observe = typeof import('../observe/observe.ts')

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
Exit code 0: nothing fails; 1: something fails; 2: it could not tell, because something could not be read, or wrong usage.

Example:
  trellis status --kubeconfig seed.kubeconfig
  trellis status -n shoot--garden--rose --watch`,
    )
    .action(
      observing(async ({ namespace, output, watch, timeout, ...cluster }: StatusOptions) => {
        const [observe, { withCluster }, { json, missingText, output: toOutput, paintOfOutput, wrapped }] =
          await Promise.all([
            import('../observe/observe.ts'),
            import('../open-cluster.ts'),
            import('./observe-output.ts'),
          ])
        const paint = paintOfOutput()
        const isText = output === 'text'
        await withCluster(cluster, async ({ kubernetes }) => {
          const { shoots, unread } = await observe.showView({
            ...toOutput(watch, everyMs, isText),
            read: async () => {
              const signal = AbortSignal.timeout(timeout * 1000)
              const view = await observe.readSeed({ kubernetes, clock: systemClock, signal })
              const all = observe.seedStatus(view)
              const { unread = [], missing } = view
              const chosen = namespace && chosenIn(namespace, observe, view)
              const shoots = chosen === undefined ? all : all.filter(({ shoot }) => shoot === chosen)
              return { at: view.at, shoots, missing, unread }
            },
            show: reading =>
              isText
                ? wrapped(
                    `${observe.statusAsText(reading.shoots, reading.at, paint, reading.unread)}${missingText(reading.missing)}`,
                  )
                : json(reading, watch ? undefined : 2),
            same: ({ shoots, missing, unread }) => JSON.stringify([shoots, missing, unread]),
          })
          const states = new Set(shoots.map(({ state }) => state))
          process.exitCode ??= exitCodeOfReading(
            states.has('failed'),
            unread.length > 0 || states.has('unknown'),
          )
        })
      }),
    )

/** A name that was not found among everything is wrong; among what could be read, it is not known. */
const chosenIn = (
  given: string,
  { chooseShoot, shootsIn }: Pick<Observe, 'chooseShoot' | 'shootsIn'>,
  view: SeedView,
): string => {
  const all = shootsIn(view)
  if (view.unread?.length && !all.some(one => one === given || one.endsWith(`--${given}`)))
    throw new UnknownStateError(
      `cannot tell whether the seed has the shoot ${printable(given)}: ${view.missing.map(printable).join('; ')}`,
    )
  return chooseShoot(given, all)
}
