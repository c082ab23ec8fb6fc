import { Command, InvalidArgumentError, Option } from 'commander'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { kubeconfigAccess } from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { wrapLines } from '../wrap-words.ts'

interface DoctorOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly output: 'text' | 'json'
  /** In seconds. */
  readonly timeout: number
}

const seconds = (text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError('expected whole seconds.')
}

/** `trellis doctor`: finds the problems of a seed, and says how to fix them. */
export const doctorCommand = (): Command =>
  new Command('doctor')
    .description(
      'Check how Trellis is in a seed, and say what to do about what is wrong: definitions, broker, Triggers, Services and their images, ' +
        'rights, webhooks and their certificates, bridge, clocks, other extensions, and objects that wait for ever. It reads, and writes nothing.',
    )
    .option('--kubeconfig <file>', 'of the seed (default: what kubectl would use)')
    .option('--context <name>', 'of the kubeconfig (default: its current one)')
    .option('--namespace <name>', 'where Trellis is installed (default: where Triggers of its functions are)')
    .addOption(new Option('--output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .option('--timeout <seconds>', 'for everything that is read', seconds, 60)
    .addHelpText(
      'after',
      `
Each line is ✓ as it should be, ! worth to know, ✗ to be mended, with what to do under it, or – not to be checked, and why.
Exit code 0: nothing has to be done; 1: something has, or the API server cannot be asked; 2: asked in the wrong way.
What it reads is in docs/operations.md#trellis-doctor, with the ClusterRole for it.

Example:
  trellis doctor --kubeconfig seed.kubeconfig
  trellis doctor --context seed-eu1 --namespace extension-trellis-xk2p9 --output json`,
    )
    .action(async ({ namespace, output, timeout, ...cluster }: DoctorOptions) => {
      const [
        { examineCluster },
        { exitCodeOfReport },
        { reportAsJson, reportAsText },
        { findFunctions },
        { findWebhooks },
      ] = await Promise.all([
        import('../doctor/examine-seed.ts'),
        import('../doctor/run-checks.ts'),
        import('../doctor/output.ts'),
        import('../../functions/find-functions.ts'),
        import('../../functions/find-webhooks.ts'),
      ])
      const access = await accessOf(cluster)
      const report = await examineCluster(access, {
        clock: systemClock,
        namespace,
        functions: await findFunctions(),
        webhooks: await findWebhooks(),
        signal: AbortSignal.timeout(timeout * 1000),
      })
      process.stdout.write(
        output === 'json'
          ? reportAsJson(report)
          : wrapLines(reportAsText(report, isColored(process.stdout, process.env)), process.stdout.columns),
      )
      process.exitCode ??= exitCodeOfReport(report)
    })

const accessOf = async ({ kubeconfig, context }: Pick<DoctorOptions, 'kubeconfig' | 'context'>) => {
  try {
    return await kubeconfigAccess({
      clock: systemClock,
      ...(kubeconfig !== undefined && { file: kubeconfig }),
      ...(context !== undefined && { context }),
    })
  } catch (error) {
    // The YAML parser quotes the lines around, which hold credentials; the first line has the position.
    const [why = ''] = messageOf(error).split('\n')
    const file = kubeconfig ?? process.env.KUBECONFIG
    const where = file === undefined || why.includes(file) ? '' : `${file}: `
    throw new UsageError(`no access to a cluster: ${where}${why}; see --kubeconfig and --context`)
  }
}
