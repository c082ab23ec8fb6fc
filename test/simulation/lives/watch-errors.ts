import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { broken, type World } from '../../../sandbox/simulation/simulation.ts'
import type { LifePlan } from './plan-life.ts'

/** Returns true if nothing in a life can fail. */
const isKind = ({ events, hostility, hasOthers }: LifePlan): boolean =>
  !hasOthers &&
  hostility.lagMs === 0 &&
  !hostility.pages?.omitted &&
  events.every(event => event.kind === 'act' && event.do !== 'delete by force' && event.do !== 'accident')

/** Watches the objects of a life in which nothing can fail. Returns a sentence for each error that one reports. */
export const watchErrors = ({ first }: World<AwsSide>, plan: LifePlan): (() => readonly string[]) => {
  const errors = new Set<string>()
  if (isKind(plan))
    first.server.store.subscribe((resource, { key, entry }) => {
      const { lastOperation, lastError } = Object(entry.object.status)
      if (resource.endsWith('.extensions.gardener.cloud') && lastOperation?.state === 'Error')
        errors.add(broken('no error without a cause', `${resource} ${key}: ${lastError?.description}`))
    })
  return () => [...errors].slice(0, 4)
}
