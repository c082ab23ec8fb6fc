import { Command, Option } from 'commander'
import { cloudOptions, flagsOf } from '../../sandbox/providers/flags.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { print, printProblem } from '../../shared/terminal/print.ts'
import { allowedNetwork, type NetworkFlags, networkFlags, protection } from '../confined/allowed-network.ts'
import type { StepSelection } from '../replay/journal/select-steps.ts'
import type { ReplayOptions } from '../replay/replay-files.ts'
import { addCloudFlag } from '../sandbox/provider-option.ts'

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
      `Replay CloudEvents, or the steps of a journal (trellis record), against a function and print its writes: a diff of the object, and the calls that change ${titlesOf(providers)}. ` +
        'Calls that failed in a journal fail again. Each file gets a new seed in memory, whose clock stands at the time of the event.',
    )
    .argument(
      '[file...]',
      'a journal, CloudEvents in structured JSON, or AdmissionReviews (- reads standard input)',
    )
    .option('--list', 'list the steps of a journal, and replay none')
    .option('--step <id>', 'only this step: an id of --list, or of an event')
    .option('--failed', 'only failed steps')
    .option('--shoot <name>', 'only steps of this shoot, such as garden/rose')
    .option('--object <kind/name>', 'only of this object, such as dns/rose-external')
    .option('--at <time>', 'only the last step that began until this time')
    .option(
      '--save-event <file>',
      'write the event of the step to this file and its Cluster beside it, and replay none',
    )
    .option('--seed <number>', 'repeat this run of the simulation (make simulate)')
    .option('--trace', 'with --seed: also print each request')
    .option(
      '--function <name>',
      'a function, its folder, or a webhook as <provider>/<name> (default: those that serve the object)',
    )
  const state = 'initial state of the simulated cloud (default: what the objects need)'
  addCloudFlag(command, providers, { flag: 'state', value: '<file>', text: state })
  addCloudFlag(command, providers, { flag: 'saveState', value: '<file>', text: 'write its final state' })
  command
    .option(
      '--cluster <file>',
      'the Cluster, Secrets and other objects that the function reads (default: made up from the status)',
    )
    .option('--follow', 'also replay the next events, until nothing is due')
  command.option('--allow-reads', networkFlags.reads).option('--allow-network', networkFlags.all)
  addCloudFlag(command, providers, { flag: 'endpoint', value: '<url>', text: 'call this cloud instead' })
  return command
    .option(
      '--kubeconfig <file>',
      `work on the live objects of this cluster; needs ${flagsOf({ name: 'CLOUD' }).endpoint}`,
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
${protection}
Exit code 0: every outcome was recorded, or a seed broke no promise; 1: an outcome is missing or Error, a review was
denied, a line of a journal was left out, or a promise was broken; 2: wrong input.

Example:
  trellis replay test/events/dnsrecord-create.json
  trellis replay --follow test/events/infrastructure-create.json
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
