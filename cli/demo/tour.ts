import type { Provider } from '../provider/provider.ts'
import type { ProvidedClouds } from '../sandbox/start-sandbox.ts'
import type { Stop } from './stop.ts'

/** The stops of the guided tour, in their order; each builds on those before. */
export const tour = async (
  providers: readonly Provider[],
  clouds: ProvidedClouds,
): Promise<readonly Stop[]> => {
  const stops: Stop[] = []
  for (const provider of providers) {
    const cloud = clouds[provider.name]
    if (cloud !== undefined) stops.push(...((await provider.stops?.(cloud)) ?? []))
  }
  return [...stops, rest]
}

const rest: Stop = {
  title: 'Nothing to do: the functions scale to zero',
  typed: '(wait)',
  run: async (stage, signal) => {
    for (const name of stage.functionNames) while (stage.isAwake(name)) await stage.clock.sleep(20, signal)
    return ''
  },
}
