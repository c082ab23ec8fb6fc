import { broken } from '../invariants/invariants.ts'
import type { Fates } from '../process/exchange.ts'
import type { World } from '../simulate.ts'
import type { RandomCloud } from './random-cloud.ts'
import type { ShootLife } from './shoot-life.ts'

/** Observes that only one seed at a time acts for a shoot. */
export interface HandOver {
  /** Returns fates that also observe each write. */
  observed(fates: Fates): Fates
  watch(world: World<RandomCloud>, lives: readonly ShootLife[]): void
  /** Returns a sentence for each write of the former seed after the first write of the new one. */
  problems(): readonly string[]
}

/** Worlds with several shoots are not observed: the calls of a function do not name their shoot. */
export const createHandOver = (): HandOver => {
  let watched: { readonly world: World<RandomCloud>; readonly life: ShootLife } | undefined
  let active: string | undefined
  const problems = new Set<string>()
  const see = (process: string, about: string): void => {
    if (watched === undefined) return
    const { world, life } = watched
    const home = world[life.home()].name
    if (process.startsWith(`${home}/`)) active = home
    else if (active === home)
      problems.add(broken('nothing of others is touched', `${process} of the former seed called ${about}`))
  }
  return {
    observed: fates => (process, exchange) => {
      const { way, isWrite, about } = exchange
      if (way === 'cloud' && isWrite && watched?.world.cloud.isOfShoot(about)) see(process, about)
      return fates(process, exchange)
    },
    watch: (world, lives) => {
      const [life] = lives
      watched = life !== undefined && lives.length === 1 ? { world, life } : undefined
    },
    problems: () => [...problems],
  }
}
