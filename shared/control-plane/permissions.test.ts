import { expect, test } from 'vitest'
import { deployments } from '../kubernetes/core-resources.ts'
import { controlPlanePermissions } from './control-plane.ts'
import { newSeed } from './testing/seed.ts'

const rotating = {
  status: {
    credentials: {
      rotation: {
        certificateAuthorities: { phase: 'Preparing', lastInitiationTime: '2026-11-21T12:30:00Z' },
      },
    },
  },
}

test('the life of a ControlPlane needs each of the permissions', async () => {
  const seed = await newSeed({ instant: false })
  const reconcile = async () => {
    await seed.reconcile()
    await seed.converge()
  }
  await seed.converge()
  await seed.changeShoot(rotating)
  await reconcile()
  await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
  await reconcile()
  await seed.remove()
  await seed.converge()

  const made = new Set(seed.requests.map(call => call.split(' ').slice(0, 2).join(' ')))
  const named = controlPlanePermissions.flatMap(({ resource: { plural }, verbs }) =>
    verbs.map(verb => `${verb} ${plural}`),
  )
  expect(named).toContain(`get ${deployments.plural}`)
  expect(named.filter(name => !made.has(name))).toEqual([])
})
