/** `make simulate`: runs the sets of the simulation in parallel for as long as asked. */

import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError, Option } from 'commander'
import { runSimulation, type SimulationFlags } from './runner/run-simulation.ts'
import { tallyTable } from './runner/tally.ts'
import { type SetName, setNames } from './sets.ts'

const positive = (text: string): number => {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('expected a number above 0')
  return value
}
const more = <T>(value: T, before: readonly T[] = []): readonly T[] => [...before, value]

const command = new Command('simulate')
  .description(
    'Run scenarios with crashes, losses and stale reads through the whole path, on a virtual clock.',
  )
  .option('--for <seconds>', 'stop after this time', positive, 60)
  .option('--seed <seed>', 'of the scenarios at random (default: another one each time)')
  .addOption(
    new Option('--set <name>', `only this set; repeatable: ${setNames.join(', ')}`).argParser<
      readonly SetName[]
    >((text, before) => {
      if (!setNames.some(name => name === text))
        throw new InvalidArgumentError(`expected one of ${setNames.join(', ')}`)
      return more(text as SetName, before)
    }),
  )
  .option('--function <name>', 'only scenarios in which this function works; repeatable', more<string>)
  .option('--job <text>', 'only jobs whose id contains this text, as printed with a failure')
  .option('--jobs <processes>', 'number of processes', positive, availableParallelism())
  .option('--stop-at-first', 'end with the first failure')

await command.parseAsync()
const { tally, broken, minutes } = await runSimulation(command.opts<SimulationFlags>())
console.log(`\n${tallyTable(tally)}\n`)
const { runs, virtualMs, intermediate, stale, unobserved } = tally.total()
console.log(
  `${minutes.toFixed(1)} minutes: ${(runs / minutes).toFixed(0)} runs, ${((intermediate + stale + unobserved) / minutes).toFixed(0)} points and ${(virtualMs / 3_600_000 / minutes).toFixed(0)} virtual hours per minute`,
)
process.exitCode = tally.failures.length === 0 && broken.length === 0 ? 0 : 1
