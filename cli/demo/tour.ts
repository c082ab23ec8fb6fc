import type { Provider } from '../../sandbox/providers/provider.ts'
import type { Stop, TourPart } from '../../sandbox/providers/stop.ts'
import type { ProvidedClouds } from '../sandbox/start-sandbox.ts'

/** Returns the stops of the guided tour, in order; each builds on the previous ones. */
export const tour = async (
  providers: readonly Provider[],
  clouds: ProvidedClouds,
): Promise<readonly Stop[]> => {
  const parts: TourPart[] = []
  for (const provider of providers) {
    const cloud = clouds[provider.name]
    const part = cloud && (await provider.stops?.(cloud))
    if (part !== undefined) parts.push(part)
  }
  return [
    ...parts.flatMap(({ inSandbox }) => inSandbox),
    rest,
    ...parts.flatMap(({ afterwards = [] }) => afterwards),
  ]
}

const rest: Stop = {
  title: 'Nothing to do: the functions scale to zero',
  typed: '(wait)',
  run: async (stage, signal) => {
    for (const { name } of stage.functions) while (stage.isAwake(name)) await stage.clock.sleep(20, signal)
    return ''
  },
}
