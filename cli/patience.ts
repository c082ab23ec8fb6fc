import type { Provider } from '../sandbox/providers/provider.ts'
import { systemClock } from '../shared/clock/clock.ts'
import { printProblem } from '../shared/terminal/print.ts'
import type { Patience } from './until-there.ts'

/** The wait for a service that is being started in parallel: a sandbox takes a few seconds on a busy machine. */
export const patienceWith = (providers: readonly Pick<Provider, 'texts'>[]): Patience => ({
  clock: systemClock,
  print: text => printProblem('trellis', text),
  limitMs: 15_000,
  howToStart: port => providers.map(({ texts }) => texts.howToStart(port)).join(', or '),
})
