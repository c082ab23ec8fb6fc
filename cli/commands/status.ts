import { Command } from 'commander'
import { UnknownStateError, UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { inShell } from '../../shared/text/in-shell.ts'
import { printable } from '../../shared/text/printable.ts'
import type { SeedView, ShootStatus } from '../observe/observe.ts'
import { withClusterFlags } from './cluster-flags.ts'
import { exitCodeOfReading, observing } from './observing.ts'
import { isText, type OutputFormat, outputOption } from './output-format.ts'

type ObserveModule = typeof import('../observe/observe.ts')

interface StatusOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly output: OutputFormat
  readonly failing?: boolean
  readonly kind?: string
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
    .option('--failing', 'only what fails, by cause')
    .option('--kind <kind>', 'only objects of this kind, such as Worker or dns')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Marks: ✓ fine, ▶ at work, … waits, ✗ fails, ? unknown.
Exit code 0: nothing fails; 1: something fails; 2: it could not tell, because something could not be read, or wrong usage.

Example:
  trellis status --kubeconfig seed.kubeconfig
  trellis status -n shoot--garden--rose --watch
  trellis status --failing --kind Worker -o yaml`,
    )
    .action(
      observing(
        async ({ namespace, output, watch, timeout, failing, kind: called, ...cluster }: StatusOptions) => {
          const [
            observe,
            { withCluster },
            { encoded, missingText, output: toOutput, paintOfOutput, wrapped },
          ] = await Promise.all([
            import('../observe/observe.ts'),
            import('../open-cluster.ts'),
            import('./observe-output.ts'),
          ])
          const kind = called === undefined ? undefined : observe.kindCalled(called)
          if (called !== undefined && kind === undefined)
            throw new UsageError(
              `--kind ${called} is no extension kind. Use one such as Worker, or its short name`,
            )
          const paint = paintOfOutput()
          await withCluster(cluster, async ({ kubernetes }) => {
            const { shoots, unread } = await observe.showView({
              ...toOutput(watch, everyMs, isText(output)),
              read: async () => {
                const signal = AbortSignal.timeout(timeout * 1000)
                const view = await observe.readSeed({ kubernetes, clock: systemClock, signal })
                const all = observe.seedStatus(view, { kind })
                const { unread = [], missing } = view
                const chosen = namespace && chosenIn(namespace, observe, view)
                const shoots = all
                  .filter(({ shoot }) => chosen === undefined || shoot === chosen)
                  .filter(({ state }) => !failing || state === 'failed')
                return {
                  ...{ at: view.at, shoots, missing, unread },
                  ...(failing && { causes: observe.causesOf(shoots) }),
                }
              },
              show: reading =>
                isText(output)
                  ? wrapped(
                      `${(failing ? observe.causesAsText : observe.statusAsText)(reading.shoots, reading.at, paint, reading.unread)}${consoleText(reading.shoots)}${missingText(reading.missing)}`,
                      output,
                      cluster,
                    )
                  : encoded(reading, output, watch),
              same: ({ shoots, missing, unread }) => JSON.stringify([shoots, missing, unread]),
            })
            const states = new Set(shoots.map(({ state }) => state))
            process.exitCode ??= exitCodeOfReading(
              states.has('failed'),
              unread.length > 0 || states.has('unknown'),
            )
          })
        },
      ),
    )

/** The command that opens the console at the first shoot that is not fine. */
export const consoleText = (all: readonly ShootStatus[]): string => {
  const shoot = all.find(one => one.shoot !== undefined && one.state !== 'ok')?.shoot
  return shoot === undefined
    ? ''
    : `See it on a page:\n  run: trellis console --shoot ${printable(inShell(shoot))}\n`
}

/** A name that was not found among everything is wrong; among what could be read, it is not known. */
const chosenIn = (
  given: string,
  { chooseShoot, shootsIn }: Pick<ObserveModule, 'chooseShoot' | 'shootsIn'>,
  view: SeedView,
): string => {
  const all = shootsIn(view)
  if (view.unread?.length && !all.some(one => one === given || one.endsWith(`--${given}`)))
    throw new UnknownStateError(
      `cannot tell whether the seed has the shoot ${printable(given)}: ${view.missing.map(printable).join('; ')}`,
    )
  return chooseShoot(given, all)
}
