import { Command, InvalidArgumentError, Option } from 'commander'
import { systemClock } from '../../shared/clock/clock.ts'
import { parseDuration } from '../../shared/contract/duration.ts'
import { print } from '../../shared/terminal/print.ts'
import { printable } from '../../shared/text/printable.ts'
import type { SeedView } from '../observe/observe.ts'
import { shootGiven, withClusterFlags, withNamespaceFlag } from './cluster-flags.ts'
import { exitCodeOfReading, observing } from './observing.ts'
import { isText, type OutputFormat, outputOption } from './output-format.ts'

interface HistoryOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly bridgeNamespace?: string
  readonly namespace?: string
  readonly journal?: string
  readonly bridge?: string
  /** In ms. */
  readonly since: number
  readonly output: OutputFormat
  /** In seconds. */
  readonly timeout: number
}

const duration = (text: string): number => {
  const ms = parseDuration(text)
  if (ms !== undefined && ms > 0) return ms
  throw new InvalidArgumentError('expected a duration such as 30m, 1h or 24h')
}

const hourMs = 3_600_000

/** `trellis history SHOOT`: what happened to a shoot, step by step. */
export const historyCommand = (): Command =>
  withClusterFlags(withNamespaceFlag(new Command('history')))
    .description(
      'Print the steps of a shoot and their failed calls, from a journal or from the memory of the bridge, which holds the last ones. Without both, print the last operation and error of each object. It only reads.',
    )
    .addOption(new Option('--since <duration>', 'how far back').argParser(duration).default(hourMs, '1h'))
    .option('--journal <file>', 'read this journal instead of a cluster (- reads standard input)')
    .option(
      '--bridge <url>',
      'read the steps from this bridge, such as a forwarded port of its pod (default: all pods of bridges, through the API server)',
    )
    .option('--bridge-namespace <name>', 'namespace of Trellis (default: any with a pod of a bridge)')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Exit code 0: the last entry of each object is a success; 1: that of an object is a failure; 2: it could not tell, because
something could not be read, or wrong usage. The history is printed in each case.

Example:
  trellis history rose --since 1h --kubeconfig seed.kubeconfig
  trellis history shoot--garden--rose --journal night.jsonl --since 24h`,
    )
    .action(
      observing(async (given: string | undefined, options: HistoryOptions) => {
        const { namespace, bridgeNamespace, journal, bridge, since, output, timeout, ...cluster } = options
        const shoot = shootGiven(given, namespace)
        const [observe, { withCluster }, shown] = await Promise.all([
          import('../observe/observe.ts'),
          import('../open-cluster.ts'),
          import('./observe-output.ts'),
        ])
        const paint = shown.paintOfOutput()
        const show = (view: SeedView, technical: string) => {
          const rows = observe.shootHistory(view, technical, view.at - since)
          const unread = view.unread ?? []
          const nothing =
            unread.length === 0
              ? 'Nothing happened in this time.'
              : `${paint(observe.marks.unknown, 'unknown')} Nothing is known of this time: ${printable(observe.unreadText(view) ?? '')}.`
          print(
            isText(output)
              ? shown.wrapped(
                  `${observe.historyAsText(rows, technical, view.at, paint) || `${nothing}\n`}${observe.recordedText(view)}${shown.missingText(view.missing)}`,
                  output,
                )
              : shown.encoded({ at: view.at, missing: view.missing, unread, rows }, output),
          )
          const last = new Map(rows.map(({ object, isFailed }) => [object, isFailed]))
          process.exitCode ??= exitCodeOfReading([...last.values()].includes(true), unread.length > 0)
        }
        if (journal !== undefined) {
          const { history, end, problems } = await observe.readJournalFile(journal, process.stdin)
          const view = observe.journalView(history, end, problems)
          show(view, observe.shootInJournal(shoot, view))
          return
        }
        await withCluster(cluster, async ({ kubernetes, transport }) => {
          const signal = AbortSignal.timeout(timeout * 1000)
          const technical = await observe.findShoot(shoot, kubernetes, signal)
          const [view, steps] = await Promise.all([
            observe.readShoot({ kubernetes, clock: systemClock, technical, part: 'extensions', signal }),
            bridge === undefined
              ? observe.stepsOfBridges(kubernetes, transport, bridgeNamespace, signal)
              : observe.stepsAtUrl(bridge, signal),
          ])
          show(observe.withSteps(view, steps), technical)
        })
      }),
    )
