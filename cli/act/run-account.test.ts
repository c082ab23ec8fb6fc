import { expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { plannedKindsOf } from '../plan/planned-kinds.ts'
import { providerPlanners } from '../plan/planner.ts'
import { reconcileAccount } from './run-account.ts'

test('a kind without plans is refused, because none of its objects could be found', async () => {
  const clock = virtualClock(0)
  const server = createApiServer({ clock, objects: allCrds() })
  const surroundings = {
    ...{ kubernetes: createKubernetes({ transport: server.transport, clock }), clock, env: {}, user: 'dave' },
    planned: plannedKindsOf((await findProviders()).flatMap(providerPlanners)),
    connect: async () => undefined,
    print: () => {},
    confirm: async () => true,
    signal: () => new AbortController().signal,
  }
  await expect(reconcileAccount('222222222222', { kinds: ['Network'] }, surroundings)).rejects.toThrow(
    '--kind: expected Infrastructure, ',
  )
})
