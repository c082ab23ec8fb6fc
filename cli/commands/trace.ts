import { Command } from 'commander'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { SeedView, TreeNode } from '../observe/observe.ts'
import { shootGiven, withClusterFlags, withNamespaceFlag } from './cluster-flags.ts'
import { exitCodeOfReading, observing } from './observing.ts'
import { isText, type OutputFormat, outputOption } from './output-format.ts'

interface TraceCommandOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly journal?: string
  readonly bridge?: string
  readonly at?: string
  readonly all?: boolean
  readonly verify?: boolean
  readonly endpoint?: string
  readonly watch?: boolean
  readonly output: OutputFormat | 'html'
  /** In seconds. */
  readonly timeout: number
}

/** The pause between two readings of a shoot, in ms. */
const everyMs = 2_000

/** `trellis trace SHOOT`: the tree of a shoot, live or from a journal. */
export const traceCommand = (providers: readonly Provider[]): Command =>
  withClusterFlags(withNamespaceFlag(new Command('trace')))
    .description(
      'Print the tree of a shoot: its extension objects in the order of Gardener, their steps, ManagedResources, machines and resources in the cloud, with the state of each, why it waits, what comes next, and errors with their fix. It only reads.',
    )
    .option('-w, --watch', 'continue until Ctrl-C; without a terminal, print each change')
    .option('--journal <file>', 'read this journal instead of a cluster (- reads standard input)')
    .option('--at <time>', 'with --journal: show this moment, such as 12:03:10 or -5m (default: its end)')
    .option('--bridge <url>', 'read the recent steps from this bridge, such as a forwarded port of its pod')
    .option('--all', 'also read what few shoots have, such as Bastions, with more than 12 requests')
    .option('--verify', 'look at the cloud, too, as trellis plan does; reads the Secrets of objects')
    .option('--endpoint <url>', 'with --verify: read this cloud, such as that of trellis dev')
    .addOption(outputOption('html'))
    .addHelpText(
      'after',
      `
Marks: ✓ fine, ▶ at work, … waits, ✗ fails, ? unknown.
html is the page of trellis console as one file: with --journal, all that happened to the shoot.
Exit code 0: nothing of the shoot fails; 1: something fails; 2: it could not tell, because something could not be read, or
wrong usage. The tree is printed in each case.

Example:
  trellis trace shoot--garden--rose --kubeconfig seed.kubeconfig
  trellis trace -n rose --watch
  trellis trace rose --verify
  trellis trace rose --journal night.jsonl --at 03:12:00`,
    )
    .action(
      observing(async (given: string | undefined, options: TraceCommandOptions) => {
        const { namespace, journal, bridge, at, all, verify, endpoint, watch, output, timeout, ...cluster } =
          options
        const shoot = shootGiven(given, namespace)
        if (journal === undefined && at !== undefined)
          throw new UsageError('--at needs --journal: a cluster only shows the present')
        if (output === 'html' && (watch || at !== undefined || journal === '-'))
          throw new UsageError(
            '-o html cannot be combined with --watch, --at or --journal -: it is one file with every moment',
          )
        if (journal !== undefined && (watch || bridge !== undefined))
          throw new UsageError(
            '--journal cannot be combined with --watch or --bridge: a journal does not change',
          )
        if (verify && (journal !== undefined || watch || output === 'html'))
          throw new UsageError(
            '--verify cannot be combined with --journal, --watch or -o html: it looks at the cloud once, for the tree',
          )
        if (endpoint !== undefined && !verify) throw new UsageError('--endpoint needs --verify')
        const [observe, { withCluster }, shown] = await Promise.all([
          import('../observe/observe.ts'),
          import('../open-cluster.ts'),
          import('./observe-output.ts'),
        ])
        const resourcesOf = await observe.providedResources(providers)
        const paint = shown.paintOfOutput()
        const pageOf = async (view: SeedView, technical: string): Promise<string> => {
          if (output !== 'html') return ''
          const { exportJournal, exportView } = await import('../console/console.ts')
          return journal === undefined
            ? exportView(view, providers, technical)
            : exportJournal(journal, providers, technical)
        }
        const verified = async (tree: TreeNode, signal: AbortSignal): Promise<TreeNode> => {
          if (!verify) return tree
          const { verifyObjects } = await import('../plan/verify-objects.ts')
          const reading = { ...cluster, ...(endpoint !== undefined && { endpoint }) }
          const { env, stdin } = process
          const surroundings = { providers, env, stdin, signal }
          return observe.verifiedTree(
            tree,
            await verifyObjects(observe.recordedIn(tree), reading, surroundings),
          )
        }
        const timeLimit = () => AbortSignal.timeout(timeout * 1000)
        const print = async (technical: string, read: (signal: AbortSignal) => Promise<SeedView>) => {
          const { view, tree } = await observe.showView({
            ...shown.output(watch, everyMs, isText(output)),
            read: async () => {
              const signal = timeLimit()
              const view = await read(signal)
              const page = await pageOf(view, technical)
              const tree = await verified(observe.shootTree(view, technical, resourcesOf), signal)
              return { view, tree, page }
            },
            show: ({ view, tree, page }) => {
              if (output === 'html') return page
              const { at, missing, unread = [] } = view
              return isText(output)
                ? shown.wrapped(
                    `${observe.treeAsText(tree, at, paint)}${shown.missingText(missing)}`,
                    output,
                    cluster,
                  )
                : shown.encoded({ at, missing, unread, tree }, output, watch)
            },
            same: ({ view, tree }) => JSON.stringify([tree, view.missing]),
          })
          process.exitCode ??= exitCodeOfReading(
            tree.state === 'failed',
            tree.state === 'unknown' || (view.unread ?? []).length > 0,
          )
        }

        if (journal !== undefined) {
          const { history, end, problems } = await observe.readJournalFile(journal, process.stdin)
          const view = observe.journalView(
            history,
            at === undefined ? end : observe.momentIn(at, end),
            problems,
          )
          await print(observe.shootInJournal(shoot, view), async () => view)
          return
        }
        await withCluster(cluster, async ({ kubernetes }) => {
          const technical = await observe.findShoot(shoot, kubernetes, timeLimit())
          await print(technical, async signal => {
            const [view, steps] = await Promise.all([
              observe.readShoot({
                kubernetes,
                clock: systemClock,
                technical,
                ...(all && { part: 'all' }),
                signal,
              }),
              bridge === undefined ? undefined : observe.stepsAtUrl(bridge, signal),
            ])
            return steps === undefined ? view : observe.withSteps(view, steps)
          })
        })
      }),
    )
