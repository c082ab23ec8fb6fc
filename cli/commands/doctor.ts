import { Command, InvalidArgumentError, Option } from 'commander'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { wrapLines } from '../../sandbox/terminal/wrap-words.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { print } from '../../shared/terminal/print.ts'
import { observing } from './observing.ts'
import { projectFlag } from './project-flag.ts'

interface DoctorOptions {
  readonly project?: string
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
  throw new InvalidArgumentError('expected a whole number of seconds')
}

/** `trellis doctor`: finds the problems of a seed, and says how to fix them. */
export const doctorCommand = (): Command =>
  new Command('doctor')
    .description(
      'Check an installation of Trellis in a seed and say how to fix each problem: definitions, broker, Triggers, Services and their images, the seed process, ' +
        'permissions, webhooks and their certificates, bridge, versions, clocks, other extensions, and objects that are stuck. It only reads.',
    )
    .addOption(projectFlag())
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option(
      '--namespace <name>',
      'namespace of Trellis (default: the namespace with Triggers of its functions, or with its seed process)',
    )
    .addOption(new Option('--output <format>', 'output format').choices(['text', 'json']).default('text'))
    .option('--timeout <seconds>', 'time limit for all reads together', seconds, 60)
    .addHelpText(
      'after',
      `
Marks: ✓ fine, ! warning, ✗ problem with its fix below, ? not checked, with the reason.
Exit code 0: everything was checked and has no problems; 1: problems were found; 2: it could not tell, because something could
not be read, or wrong usage.
The page docs/operations.md#trellis-doctor lists what it reads, with a ClusterRole for it.

Example:
  trellis doctor --kubeconfig seed.kubeconfig
  trellis doctor --context seed-eu1 --namespace extension-trellis-xk2p9 --output json`,
    )
    .action(
      observing(async ({ namespace, output, timeout, project, ...cluster }: DoctorOptions) => {
        const [
          { examineCluster },
          { exitCodeOfReport },
          { reportAsJson, reportAsText },
          { packageVersion },
          { definitionsOf },
          { findProject },
          { accessOf },
        ] = await Promise.all([
          import('../doctor/examine-seed.ts'),
          import('../doctor/run-checks.ts'),
          import('../doctor/output.ts'),
          import('../../build/project/package-version.ts'),
          import('../../build/project/project.ts'),
          import('../project/find-project.ts'),
          import('../open-cluster.ts'),
        ])
        const access = await accessOf(cluster)
        const report = await examineCluster(access, {
          clock: systemClock,
          version: await packageVersion(),
          namespace,
          ...(await definitionsOf(await findProject(process.cwd(), project))),
          signal: AbortSignal.timeout(timeout * 1000),
        })
        print(
          output === 'json'
            ? reportAsJson(report)
            : wrapLines(reportAsText(report, isColored(process.stdout, process.env)), process.stdout.columns),
        )
        process.exitCode ??= exitCodeOfReport(report)
      }),
    )
