import { Command, Option } from 'commander'
import { cloudOptions, flagsOf } from '../../sandbox/providers/flags.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { patienceWith } from '../patience.ts'
import { isDry, replayDry } from '../replay/process/replay-dry.ts'
import { type ReplayOptions, replayFiles } from '../replay/replay-files.ts'
import { untilThere } from '../until-there.ts'

interface Flags extends Omit<ReplayOptions, 'clouds'> {
  readonly seed?: string
  readonly trace?: boolean
}

/** `trellis replay FILE…`: sends saved events to a function, and shows its writes. */
export const replayCommand = (providers: readonly Provider[]): Command => {
  const command = new Command('replay')
    .description(
      `Replay saved CloudEvents against a function and print its writes: a diff of the object, and the calls that change ${titlesOf(providers)}. ` +
        'Each file gets a new seed in memory. The clock stands at the time of the event, so the output is always the same. ' +
        'With --seed, repeat a run of the simulation (make simulate) instead.',
    )
    .argument(
      '[file...]',
      'CloudEvents in structured JSON, or AdmissionReviews: a single one, an array, or one on each line; - reads standard input',
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
      "YAML or JSON file with the Cluster of the event's shoot, and for a review any other objects that a webhook reads; events carry neither (default: a Cluster derived from the object's status, in a region with one image and one machine type)",
    )
    .option(
      '--follow',
      'also replay the events that the bridge would send next, until nothing is due, so that a waiting step continues',
    )
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
Exit code 0: every outcome was recorded, or a seed broke no promise; 1: an outcome was not recorded or was Error, a review was denied, or a promise was broken; 2: wrong input.

Example:
  trellis replay test/events/dnsrecord-create.json
  trellis replay --follow test/events/infrastructure-create.json
  trellis replay test/reviews/kube-controller-manager.json
  trellis replay --output json - < events.jsonl
  trellis replay --seed 7 --trace`,
    )
    .action(async (files: readonly string[], { seed, trace, ...flags }: Flags) => {
      if (seed !== undefined) {
        if (files.length > 0) command.error('error: --seed replays no files')
        const { replaySeed } = await import('../replay/replay-seed.ts')
        const kept = await replaySeed(seed, {
          providers,
          trace: trace === true,
          write: text => process.stdout.write(text),
        })
        if (!kept) process.exitCode ??= 1
        return
      }
      if (trace) command.error('error: --trace needs --seed')
      if (files.length === 0) command.error("error: missing required argument 'file'")
      const options = { ...flags, clouds: cloudOptions({ ...flags }, providers) }
      if (isDry(options)) {
        const code = await replayDry(files, options)
        if (code !== 0) process.exitCode ??= code
        return
      }
      const ok = await replayFiles(files, options, {
        providers,
        stdin: process.stdin,
        write: text => process.stdout.write(text),
        ready: given => untilThere(given, patienceWith(providers)),
        color: isColored(process.stdout, process.env),
      })
      if (!ok) process.exitCode ??= 1
    })
}
