import { Command, Option } from 'commander'
import { cloudOptions, flagsOf } from '../../sandbox/providers/flags.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { print, printProblem } from '../../shared/terminal/print.ts'
import { allowedNetwork, type NetworkFlags, networkFlags, protection } from '../confined/allowed-network.ts'
import type { StepSelection } from '../replay/journal/select-steps.ts'
import type { ReplayOptions } from '../replay/replay-files.ts'

interface Flags extends Omit<ReplayOptions, 'clouds' | 'select'>, StepSelection, NetworkFlags {
  readonly seed?: string
  readonly trace?: boolean
  readonly list?: boolean
  readonly saveEvent?: string
}

/** `trellis replay FILE…`: sends saved events or the steps of a journal to a function, and shows its writes. */
export const replayCommand = (providers: readonly Provider[]): Command => {
  const command = new Command('replay')
    .description(
      `Replay saved CloudEvents, or the steps of a journal (trellis record), against a function and print its writes: a diff of the object, and the calls that change ${titlesOf(providers)}. ` +
        'A step of a journal has its object and Cluster of that moment, and the calls of the cloud that failed then fail again. Each file gets a new seed in memory. The clock stands at the time of the event, so the output is always the same. ' +
        'With --seed, repeat a run of the simulation (make simulate) instead.',
    )
    .argument(
      '[file...]',
      'a journal; CloudEvents in structured JSON, or AdmissionReviews: a single one, an array, or one on each line; - reads standard input',
    )
    .option('--list', 'list the steps of a journal with their ids, and replay none')
    .option('--step <id>', 'only this step of a journal: an id of --list, or the beginning of an event id')
    .option('--failed', 'only steps of a journal that failed')
    .option('--shoot <name>', 'only steps of this shoot: shoot--garden--rose, garden/rose or rose')
    .option('--object <kind/name>', 'only steps of this object, such as dns/rose-external')
    .option(
      '--at <time>',
      'only the last of these steps that began until this time, such as 2026-11-28T04:03:11Z',
    )
    .option(
      '--save-event <file>',
      'write the event of the selected step to this file, and its Cluster beside it, and replay none',
    )
    .option(
      '--seed <number>',
      'a seed that the simulation has printed: repeats its run, and prints its plan, the broken promises and the hash of its trace',
    )
    .option('--trace', 'with --seed: also print each request of each process')
    .option(
      '--function <name>',
      "the function to replay against, or its folder, such as ./my-function (default: the function for the event's kind and provider); for a review the webhook: <provider>/<name> (default: the webhooks that are registered for the object)",
    )
  for (const provider of providers) {
    const flags = flagsOf(provider)
    command
      .option(`${flags.state} <file>`, provider.texts.state)
      .option(`${flags.saveState} <file>`, provider.texts.saveState)
  }
  command
    .option(
      '--cluster <file>',
      "YAML or JSON file with the Cluster of the event's shoot and Secrets that the function reads, and for a review any other objects that a webhook reads; events carry none of them (default: a Cluster derived from the object's status, in a region with one image and one machine type, and Secrets with made-up values)",
    )
    .option(
      '--follow',
      'also replay the events that the bridge would send next, until nothing is due, so that a waiting step continues',
    )
  command.option('--allow-reads', networkFlags.reads).option('--allow-network', networkFlags.all)
  for (const provider of providers)
    command.option(
      `${flagsOf(provider).endpoint} <url>`,
      `call this ${provider.title} instead of a simulated one`,
    )
  return command
    .option(
      '--kubeconfig <file>',
      `work on the live objects of this cluster, in real time; needs ${providers.map(provider => flagsOf(provider).endpoint).join(' or ')}`,
    )
    .addOption(new Option('--output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
${protection}
Exit code 0: every outcome was recorded, or a seed broke no promise; 1: an outcome was not recorded or was Error, a review was denied, a line of a journal was left out, or a promise was broken; 2: wrong input.

Example:
  trellis replay test/events/dnsrecord-create.json
  trellis replay --follow test/events/infrastructure-create.json
  trellis replay test/reviews/kube-controller-manager.json
  trellis replay --output json - < events.jsonl
  trellis replay rose.journal --list
  trellis replay rose.journal --failed --shoot rose
  trellis replay rose.journal --step 1f2e3d4c --save-event bug.json
  trellis replay --seed 7 --trace`,
    )
    .action(async (files: readonly string[], given: Flags) => {
      const { seed, trace, list, saveEvent: target, step, failed, shoot, object, at, ...flags } = given
      if (seed !== undefined) {
        if (files.length > 0) command.error('error: --seed replays no files')
        const { replaySeed } = await import('../replay/replay-seed.ts')
        const kept = await replaySeed(seed, { providers, trace: trace === true, write: print })
        if (!kept) process.exitCode ??= 1
        return
      }
      if (trace) command.error('error: --trace needs --seed')
      if (files.length === 0) command.error("error: missing required argument 'file'")
      const select: StepSelection = {
        ...(step !== undefined && { step }),
        ...(failed !== undefined && { failed }),
        ...(shoot !== undefined && { shoot }),
        ...(object !== undefined && { object }),
        ...(at !== undefined && { at }),
      }
      const warn = (line: string) => printProblem('trellis', line)
      if (list || target !== undefined) {
        const { listJournals, saveEvent } = await import('../replay/journal/show-journal.ts')
        const output = { stdin: process.stdin, write: print, warn }
        if (target !== undefined && (list || files.length > 1))
          command.error('error: --save-event needs one journal, and no --list')
        const isWhole =
          target === undefined
            ? await listJournals(files, select, output)
            : await saveEvent(files[0] ?? '', target, select, output)
        if (!isWhole) process.exitCode ??= 1
        return
      }
      const network = allowedNetwork(given)
      if (network !== 'none' && flags.follow)
        command.error('error: --follow needs a simulated cloud, where waiting takes no time')
      const options = { ...flags, select, clouds: cloudOptions({ ...flags }, providers) }
      const { isDry, replayDry } = await import('../replay/process/replay-dry.ts')
      if (isDry(options)) {
        const code = await replayDry(files, options, providers, network)
        if (code !== 0) process.exitCode ??= code
        return
      }
      const [{ replayFiles }, { patienceWith }, { untilThere }] = await Promise.all([
        import('../replay/replay-files.ts'),
        import('../patience.ts'),
        import('../until-there.ts'),
      ])
      const ok = await replayFiles(files, options, {
        providers,
        stdin: process.stdin,
        write: print,
        warn,
        ready: given => untilThere(given, patienceWith(providers)),
        color: isColored(process.stdout, process.env),
      })
      if (!ok) process.exitCode ??= 1
    })
}
