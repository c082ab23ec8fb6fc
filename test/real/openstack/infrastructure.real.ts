import { afterAll, beforeAll, describe } from 'vitest'
import { describeWith } from '../with-part.ts'
import { type RunningCloud, startCloud } from './cloud/start-cloud.ts'
import { defineInfrastructureChanges } from './infrastructure/changes.ts'
import { defineInfrastructureDeletions } from './infrastructure/deletions.ts'
import { defineInfrastructureLives, defineInfrastructureMedians } from './infrastructure/lives.ts'
import { defineInfrastructureRefusals } from './infrastructure/refusals.ts'
import { createFigures } from './lives/figures.ts'

describeWith('openstack', 'Infrastructures in Neutron', programs => {
  let cloud: RunningCloud
  const figures = createFigures('Infrastructure')
  beforeAll(async () => {
    cloud = await startCloud(programs, { services: ['network', 'load-balancer', 'key-pairs'] })
  })
  afterAll(async () => {
    figures.print()
    await cloud?.close()
  })

  describe('lives', () => defineInfrastructureLives(() => cloud, figures))
  describe('medians', () => defineInfrastructureMedians(() => cloud, figures))
  describe('changes', () => defineInfrastructureChanges(() => cloud))
  describe('deletions', () => defineInfrastructureDeletions(() => cloud))
  describe('refusals', () => defineInfrastructureRefusals(() => cloud))
})
