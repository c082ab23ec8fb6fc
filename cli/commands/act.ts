import { Command } from 'commander'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { wrapLines } from '../../sandbox/terminal/wrap-words.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { print } from '../../shared/terminal/print.ts'
import type { ActionName } from '../act/decide-action.ts'
import { withClusterFlags } from './cluster-flags.ts'
import { observing } from './observing.ts'

interface ActCommandOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly kind?: readonly string[]
  readonly until?: string
  readonly reason?: string
  readonly yes?: boolean
  readonly account?: string
  readonly endpoint?: string
  /** In seconds. */
  readonly timeout: number
}

const texts: Readonly<Record<ActionName, { readonly about: string; readonly examples: readonly string[] }>> =
  {
    retry: {
      about:
        'Retry the failed objects of a shoot, or one object, at once instead of after their backoff. Objects that have not failed are left alone.',
      examples: ['rose', 'Infrastructure/shoot--garden--rose/rose --yes'],
    },
    reconcile: {
      about:
        'Reconcile the objects of a shoot in the order of Gardener, or one object, whatever their state, by gardener.cloud/operation=reconcile.',
      examples: [
        'rose --kind Worker',
        'DNSRecord/shoot--garden--rose/rose-external',
        '--account 222222222222 --kind Infrastructure',
      ],
    },
    pause: {
      about:
        'Pause a shoot or one object: until a time, at most 14 days ahead, Trellis starts no step for it, not even of a deletion. Running steps end, and health checks go on. Then Trellis continues by itself.',
      examples: [
        'rose --until 4h --reason "the network is repaired by hand"',
        'BackupBucket/backups --until 2026-12-01T10:00:00Z',
      ],
    },
    resume: {
      about: 'End the pause of a shoot and of its objects, or of one object. Due work starts at once.',
      examples: ['rose', 'BackupBucket/backups'],
    },
  }

/** `trellis retry`, `reconcile`, `pause` and `resume`: shows what will happen, asks, and annotates the objects. */
export const actCommand = (action: ActionName): Command => {
  const { about, examples } = texts[action]
  const command = withClusterFlags(new Command(action))
    .description(`${about} First shows what will happen, and asks.`)
    .argument(
      action === 'reconcile' ? '[what]' : '<what>',
      'a shoot, as in trellis trace; or KIND/NAMESPACE/NAME; or KIND/NAME of a kind without namespaces',
    )
    .option('-y, --yes', 'do not ask')
    .option('--reason <text>', 'why, for the Event and for those who read it')
  if (action === 'pause')
    command.option(
      '--until <time>',
      'the end: a duration such as 90m, 24h or 3d, or a time in RFC 3339',
      '24h',
    )
  if (action === 'retry' || action === 'reconcile')
    command.option(
      '--kind <kind>',
      'of a shoot, only objects of this kind; may be repeated',
      (kind: string, others: readonly string[] = []) => [...others, kind],
    )
  if (action === 'reconcile')
    command
      .option(
        '--account <name>',
        'all objects with credentials of this account or project; prints their plans',
      )
      .option('--endpoint <url>', 'with --account: read this cloud, such as that of trellis dev')
  return command
    .addHelpText(
      'after',
      `
Writes with the rights of the kubeconfig: patch of these objects${action === 'pause' || action === 'resume' ? ' and of Clusters' : ''}, and create of Events.
Exit code 0: done, or nothing to do; 1: something could not be written; 2: nothing was written, because you did not
agree, there is no terminal and no --yes, or the input is wrong; or something could not be read.

Example:
${examples.map(example => `  trellis ${action} ${example}`).join('\n')}`,
    )
    .action(
      observing(async (target: string | undefined, options: ActCommandOptions) => {
        const { kind, until, reason, yes, account, endpoint, timeout, ...cluster } = options
        if ((target === undefined) === (account === undefined))
          throw new UsageError('give a shoot or an object, or --account')
        if (endpoint !== undefined && account === undefined)
          throw new UsageError('--endpoint needs --account')
        const [{ runAction }, { withCluster }] = await Promise.all([
          import('../act/run-action.ts'),
          import('../open-cluster.ts'),
        ])
        const wanted = { ...(kind && { kinds: kind }), ...(reason !== undefined && { reason }) }
        await withCluster(cluster, async ({ kubernetes, user }) => {
          const surroundings = {
            ...{ kubernetes, clock: systemClock, user },
            print: (text: string) => print(wrapLines(text, process.stdout.columns)),
            confirm: yes ? async () => true : ask,
            signal: () => AbortSignal.timeout(timeout * 1000),
          }
          if (account !== undefined) {
            const { runAccount } = await import('../act/run-account.ts')
            process.exitCode = await runAccount(account, { ...wanted, endpoint }, surroundings)
            return
          }
          process.exitCode = await runAction(
            { ...{ action, target: target ?? '' }, ...wanted, ...(until !== undefined && { until }) },
            surroundings,
          )
        })
      }),
    )
}

const ask = async (question: string): Promise<boolean> => {
  const { stdin, stdout } = process
  if (!stdin.isTTY || !stdout.isTTY)
    throw new UsageError('nothing was written: there is no terminal to ask. Add --yes to write this')
  const { createQuestions } = await import('../new/questions.ts')
  const questions = createQuestions(stdin, stdout)
  try {
    return await questions.ask(`${question} (yes or no)`, answer => {
      if (/^y(es)?$/i.test(answer)) return true
      if (/^no?$/i.test(answer)) return false
      throw new UsageError('answer yes or no')
    })
  } finally {
    questions.close()
  }
}
