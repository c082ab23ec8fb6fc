import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import { createRandom, type World } from '../../../../sandbox/simulation/simulation.ts'
import type { Part } from '../cast.ts'
import { letOthersArrive } from './arrivals.ts'
import { letControllersWork } from './controllers.ts'
import { letUsersVisit } from './users.ts'

/** Lets others arrive, visit and work beside the functions. Returns how each of them ends. */
export const letOthersWork = async (
  world: World<AwsSide>,
  parts: readonly Part[],
  { seed, isLate }: { readonly seed: string; readonly isLate: boolean },
) => ({
  leave: await letOthersArrive(world, parts, { random: createRandom(`${seed}/arrivals`), isLate }),
  visits: letUsersVisit(world, parts, createRandom(`${seed}/users`)),
  endControllers: letControllersWork(world, parts, createRandom(`${seed}/controllers`)),
})
