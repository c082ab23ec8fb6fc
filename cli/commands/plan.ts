import { Command } from 'commander'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { print, printError } from '../../shared/terminal/print.ts'
import { pluralTitle } from '../../shared/text/plural-title.ts'
import { allowedNetwork, type NetworkFlags, networkFlags, protection } from '../confined/allowed-network.ts'
import type { PlanOptions } from '../plan/plan-object.ts'
import { seconds } from './cluster-flags.ts'
import { isText, type OutputFormat, outputOption } from './output-format.ts'

type PlanCommandOptions = Omit<PlanOptions, 'output'> &
  NetworkFlags & {
    readonly output: OutputFormat
    readonly namespace?: string
    readonly exitCode?: boolean
    readonly function?: readonly string[]
    /** In seconds. */
    readonly timeout: number
  }

/** `Infrastructures, DNSRecords or Bastions`, without the details of their contract, for the help. */
const plannedIn = (providers: readonly Provider[]): string =>
  titlesOf(
    [...new Set(providers.flatMap(({ plans }) => Object.keys(plans)))].map(kind => ({
      title: pluralTitle(kind),
    })),
    'or',
  )

/** `trellis plan FILE…`: shows the changes of a reconcile or a delete without making them. */
export const planCommand = (providers: readonly Provider[]): Command =>
  new Command('plan')
    .description(
      `Print the changes that a reconciliation of ${plannedIn(providers)} would make in ${titlesOf(providers)} or to their objects, without making them. ` +
        'The plan is the one that the function applies: it comes from the same reads and the same checks. ' +
        'For other functions, the plan is that of planOf in their definition; without planOf, it runs their steps and prints their writes to the API server instead of sending them.',
    )
    .argument(
      '<what...>',
      'YAML or JSON files with the objects or their events, the Cluster, the Secrets, and for a Worker the machine objects, for a ControlPlane its ManagedResources and Secrets (- reads standard input); or live objects: NAMESPACE/NAME of an Infrastructure, KIND/NAMESPACE/NAME, or KIND/NAME of a kind without namespaces',
    )
    .option(
      '--kubeconfig <file>',
      'read the live objects of this cluster (default for live objects: the one that kubectl would use)',
    )
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option(
      '-n, --namespace <name>',
      'the namespace of live objects: NAME of an Infrastructure, or KIND/NAME',
    )
    .option('--endpoint <url>', endpointText(providers))
    .option(
      '--function <folder>',
      'also plan with the functions of this folder; may be repeated',
      (folder: string, others: readonly string[] = []) => [...others, folder],
    )
    .option('--allow-reads', networkFlags.reads)
    .option('--allow-network', networkFlags.all)
    .option('--timeout <seconds>', 'time limit for the whole plan', seconds, 300)
    .option('--delete', 'plan the deletion')
    .option('--exit-code', 'exit with 2 if the plan has changes')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
${protection}
Exit code 0: the plan is printed; 1: planning failed, with the error of the function; 2: wrong input,
or with --exit-code, the plan has changes.

Example:
  trellis plan examples/infrastructure/one-zone.yaml --endpoint http://127.0.0.1:4566
  trellis plan examples/dnsrecord/shoot.yaml examples/dnsrecord/zone-records.yaml
  trellis plan examples/worker/two-pools.yaml
  trellis plan record.yaml --function ./my-function
  trellis plan record.yaml --function ./my-function --allow-reads --delete
  trellis plan --kubeconfig seed.kubeconfig shoot--garden--rose/rose --delete
  trellis plan --kubeconfig seed.kubeconfig controlplane/shoot--garden--rose/rose`,
    )
    .action(
      async (
        given: readonly string[],
        {
          namespace,
          exitCode,
          function: folders = [],
          allowReads,
          allowNetwork,
          timeout,
          output,
          ...rest
        }: PlanCommandOptions,
      ) => {
        // Loaded only for a plan, because it needs all of a cloud's SDK.
        const [
          { planObjects },
          { startPlanProcess },
          { patienceWith },
          { paint },
          { untilThere },
          { systemClock },
          { encoded, wrapped },
        ] = await Promise.all([
          import('../plan/plan-object.ts'),
          import('../plan/process/start-plan-process.ts'),
          import('../patience.ts'),
          import('../plan/paint.ts'),
          import('../until-there.ts'),
          import('../../shared/clock/clock.ts'),
          import('./observe-output.ts'),
        ])
        const { env } = process
        const what = given.map(name => inNamespace(name, namespace))
        const options = { ...rest, output: isText(output) ? 'text' : 'json' } as const
        const limit = new AbortController()
        const cancel = systemClock.after(timeout * 1000, () =>
          limit.abort(
            new Error(
              `cannot plan ${what.join(' ')}: the plan did not end within ${timeout} s. Check that the cluster and the cloud can be reached, or increase --timeout`,
            ),
          ),
        )
        const usual = patienceWith(providers)
        const patience = { ...usual, limitMs: Math.min(usual.limitMs, timeout * 1000) }
        const functions = await startPlanProcess({
          folders,
          network: allowedNetwork({
            ...(allowReads && { allowReads }),
            ...(allowNetwork && { allowNetwork }),
          }),
          env,
          clock: systemClock,
          signal: limit.signal,
          onOutput: printError,
        })
        try {
          const differs = await planObjects(what, options, {
            providers,
            planners: functions.planners,
            env,
            signal: limit.signal,
            stdin: process.stdin,
            // JSON is for programs, and output that is not a terminal has no width.
            write: text => {
              if (output === 'yaml') print(encoded(JSON.parse(text), output))
              else print(isText(output) ? wrapped(text, output) : text)
            },
            ready: given => untilThere(given, patience),
            ...(isColored(process.stdout, env) && { paint }),
          })
          if (differs && exitCode) process.exitCode ??= 2
        } finally {
          cancel()
          // A read that still waits would keep the process.
          if (limit.signal.aborted) process.stdin.destroy()
          functions.close()
        }
      },
    )

/** Returns the path of a live object in a namespace: `worker/rose` is `worker/NAMESPACE/rose`. */
const inNamespace = (name: string, namespace: string | undefined): string =>
  namespace === undefined
    ? name
    : [...name.split('/').slice(0, -1), namespace, name.split('/').at(-1)].join('/')

/** `look at this AWS, such as that of trellis aws (default: Amazon)`. */
const endpointText = (providers: readonly Provider[]): string => {
  const commands = providers.flatMap(({ commands = {} }) => Object.keys(commands))
  const such =
    commands.length === 0 ? '' : `, such as that of ${commands.map(name => `trellis ${name}`).join(' or ')}`
  return `read this ${titlesOf(providers, 'or')}${such} (default: ${providers.map(({ texts }) => texts.owner).join(' or ')})`
}
