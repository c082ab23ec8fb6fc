import { Command } from 'commander'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { print } from '../../shared/terminal/print.ts'
import { seconds } from './cluster-flags.ts'
import { observing } from './observing.ts'
import { isText, type OutputFormat, outputOption } from './output-format.ts'
import { projectFlag } from './project-flag.ts'

interface DoctorOptions {
  readonly project?: string
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly output: OutputFormat
  readonly wake?: boolean
  /** In seconds. */
  readonly timeout?: number
}

/** `trellis doctor`: finds the problems of a seed, and says how to fix them. */
export const doctorCommand = (): Command =>
  new Command('doctor')
    .description(
      'Check an installation of Trellis in a seed and say how to fix each problem: definitions, broker, Triggers, Services and their images, the seed process, ' +
        'permissions, webhooks and their certificates, bridge, versions, clocks, other extensions, and objects that are stuck. It only reads, and with --wake sends test events.',
    )
    .addOption(projectFlag())
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option(
      '-n, --namespace <name>',
      'namespace of Trellis (default: the namespace with Triggers of its functions, or with its seed process)',
    )
    .option(
      '--wake',
      'send a test event to each function without a pod and watch it start; it changes no object. Needs the permission to create services/proxy in the namespace knative-serving',
    )
    .addOption(outputOption())
    .option(
      '--timeout <seconds>',
      'time limit for all reads together (default: 60, with --wake 600)',
      seconds,
    )
    .addHelpText(
      'after',
      `
Marks: ✓ fine, ! warning, ✗ problem with its fix below, ? not checked, with the reason.
Exit code 0: everything was checked and has no problems; 1: problems were found; 2: it could not tell, because something could
not be read, or wrong usage.
The page docs/operations.md#trellis-doctor lists what it reads, with a ClusterRole for it.

Example:
  trellis doctor --kubeconfig seed.kubeconfig
  trellis doctor --wake
  trellis doctor --context seed-eu1 --namespace extension-trellis-xk2p9 --output json`,
    )
    .action(
      observing(async ({ namespace, output, wake, timeout, project, ...cluster }: DoctorOptions) => {
        const [
          { examineCluster },
          { exitCodeOfReport },
          { reportAsText, reportForPrograms },
          { packageVersion },
          { definitionsOf },
          { findProject },
          { accessOf },
          { encoded, wrapped },
        ] = await Promise.all([
          import('../doctor/examine-seed.ts'),
          import('../doctor/run-checks.ts'),
          import('../doctor/output.ts'),
          import('../../build/project/package-version.ts'),
          import('../../build/project/project.ts'),
          import('../project/find-project.ts'),
          import('../open-cluster.ts'),
          import('./observe-output.ts'),
        ])
        const access = await accessOf(cluster)
        const report = await examineCluster(access, {
          clock: systemClock,
          version: await packageVersion(),
          namespace,
          ...(await definitionsOf(await findProject(process.cwd(), project))),
          ...(wake === true && { wake }),
          signal: AbortSignal.timeout((timeout ?? (wake === true ? 600 : 60)) * 1000),
        })
        print(
          isText(output)
            ? wrapped(reportAsText(report, isColored(process.stdout, process.env)), output)
            : encoded(reportForPrograms(report), output),
        )
        process.exitCode ??= exitCodeOfReport(report)
      }),
    )
