import { Command, InvalidArgumentError } from 'commander'
import { interrupted } from '../../sandbox/terminal/interrupted.ts'
import { parseDuration } from '../../shared/contract/duration.ts'
import { printError } from '../../shared/terminal/print.ts'
import { parseSize } from '../record/parse-size.ts'
import type { RecordFlags } from '../record/run-record.ts'

/** `trellis record [SHOOT…]`: records what happens in a seed into a journal. */
export const recordCommand = (): Command =>
  new Command('record')
    .description(
      'Record what happens to shoots of a seed into a journal, for trellis replay: changes of the extension objects, Clusters, ManagedResources and machines, ' +
        'and the events and steps of the bridge. It only reads, and no value of a Secret enters the journal. Ctrl-C ends it.',
    )
    .argument(
      '[shoot...]',
      'shoots to record: a namespace such as shoot--garden--rose, garden/rose, or rose (default: all shoots of the seed)',
    )
    .requiredOption(
      '--output <file>',
      'the journal: a new file, or a journal of the same shoots that is continued; - writes to standard output',
    )
    .option(
      '--for <duration>',
      'end after this time, such as 90s, 10m or 2h (default: at Ctrl-C)',
      quantity(parseDuration),
    )
    .option(
      '--max-size <size>',
      'end when the journal has this size, such as 500MB',
      quantity(parseSize),
      // The other commands read at most 256 MiB.
      250_000_000,
    )
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option(
      '--bridge <url>',
      'read events and steps from the bridge at this URL (default: from the pods of the bridge, through the API server)',
    )
    .option('--bridge-namespace <name>', 'namespace of Trellis (default: found by the label of its pods)')
    .addHelpText(
      'after',
      `
What it may not read is missing in the journal, which says so: docs/operations.md#record-and-replay lists the permissions.
Exit code 0: recorded; 1: the API server did not answer, or the file could not be written; 2: wrong usage.

Example:
  trellis record shoot--garden--rose --output rose.journal --for 10m
  trellis replay rose.journal --failed`,
    )
    .action(async (shoots: readonly string[], flags: RecordFlags) => {
      const { runRecord } = await import('../record/run-record.ts')
      const ended = new AbortController()
      void interrupted().then(() => ended.abort())
      await runRecord(shoots, flags, {
        signal: ended.signal,
        stdout: process.stdout,
        print: line => printError(`${line}\n`),
      })
    })

const quantity =
  (parse: (text: string) => number | undefined) =>
  (text: string): number => {
    const value = parse(text)
    if (value === undefined || value === 0)
      throw new InvalidArgumentError('expected a number with a unit, such as 10m or 500MB')
    return value
  }
